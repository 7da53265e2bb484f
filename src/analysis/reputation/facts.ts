/** Answers of blocklists about the sending IP and about the domains in an email. */

import type { Connection } from '../../domain/report/connection.ts';
import type { LookupResult } from '../lookup-result.ts';

/** The answers of blocklists about the sending IP. */
export interface ListingFacts {
  readonly spamcop: LookupResult<'listed' | 'not_listed' | 'not_applicable'>;
  readonly blocklists: NonNullable<Connection['dnsbl']>;
  /**
   * Answers of the lists in DNSBLS, which never cause an email to be refused here. Absent if none is
   * configured.
   */
  readonly dnsbls?: NonNullable<Connection['dnsbl']>;
}

/**
 * The part of an email that names a domain. `name_server` means whoever hosts the DNS of From or the
 * envelope.
 */
export type DomainRole = 'from' | 'envelope' | 'dkim' | 'link' | 'name_server';

/** A registered domain in the email, and the answer of each domain list about it. */
export interface AskedDomain {
  readonly domain: string;
  readonly roles: readonly DomainRole[];
  readonly answers: readonly NonNullable<Connection['dnsbl']>[number][];
}
