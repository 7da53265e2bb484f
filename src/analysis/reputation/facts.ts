import type { Connection } from '../../domain/report/connection.ts';
import type { LookupResult } from '../lookup-result.ts';

/** What lists say of the sending IP. */
export interface ListingFacts {
  readonly spamcop: LookupResult<'listed' | 'not_listed' | 'not_applicable'>;
  readonly blocklists: NonNullable<Connection['dnsbl']>;
  /** The lists of DNSBLS, which refuse no mail here; missing: none is configured. */
  readonly dnsbls?: NonNullable<Connection['dnsbl']>;
}

/** Part of a mail that names a domain; `name_server`: who hosts the DNS of From or the envelope. */
export type DomainRole = 'from' | 'envelope' | 'dkim' | 'link' | 'name_server';

/** A registered domain of the mail, and what each list of domains says of it. */
export interface AskedDomain {
  readonly domain: string;
  readonly roles: readonly DomainRole[];
  readonly answers: readonly NonNullable<Connection['dnsbl']>[number][];
}
