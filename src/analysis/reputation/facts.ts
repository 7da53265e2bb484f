import type { Connection } from '../../domain/report/connection.ts';
import type { LookupResult } from '../lookup-result.ts';

/** What lists say of the sending IP. */
export interface ListingFacts {
  readonly spamcop: LookupResult<'listed' | 'not_listed' | 'not_applicable'>;
  readonly blocklists: NonNullable<Connection['dnsbl']>;
  /** The lists of DNSBLS, which refuse no mail here; missing: none is configured. */
  readonly dnsbls?: NonNullable<Connection['dnsbl']>;
}
