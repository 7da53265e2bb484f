import type { Bimi } from '../../domain/report/logo.ts';
import type { LookupResult } from '../lookup-result.ts';

/**
 * Facts about the BIMI record of the From domain, its logo and its mark certificate, and whether the DMARC
 * policy is strict enough for BIMI.
 */
export interface BimiFacts {
  readonly report: Bimi;
  readonly recordFault: string | null;
  readonly declined: boolean;
  /** The first element or attribute of the logo that SVG Tiny PS forbids. Null if there is none. */
  readonly badElement: string | null;
  /** The result of judging the logo. Unknown if the fetch failed because of a problem on our side. */
  readonly logo: LookupResult<'valid' | 'not_square' | 'invalid'>;
  readonly certificate: LookupResult<'valid' | 'absent' | 'invalid'>;
  readonly certificateFault: string | null;
  /**
   * True if the DMARC policy of the organizational domain is strict enough for BIMI. Null if this is unknown.
   */
  readonly organizationalDomainReady: boolean | null;
}
