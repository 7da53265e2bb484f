import type { Bimi } from '../../domain/report/logo.ts';
import type { LookupResult } from '../lookup-result.ts';

/** Facts about the BIMI record and logo of the From domain. */
export interface BimiFacts {
  readonly report: Bimi;
  readonly recordFault: string | null;
  readonly declined: boolean;
  /** The first element or attribute that SVG Tiny PS forbids. */
  readonly badElement: string | null;
  /** Unknown if a fetch failed for our own reasons. */
  readonly logo: LookupResult<'valid' | 'not_square' | 'invalid'>;
  readonly certificate: LookupResult<'valid' | 'absent' | 'invalid'>;
  readonly certificateFault: string | null;
  /** Null if unknown. */
  readonly organizationalDomainReady: boolean | null;
}
