/** BIMI facts of a perfect email, for tests. */

import type { BimiFacts } from '../../../src/analysis/bimi/facts.ts';
import { known } from '../../../src/analysis/lookup-result.ts';

export const bimi: BimiFacts = {
  report: { result: 'pass', record: 'v=BIMI1; l=https://example.com/l.svg', dmarc_ready: true },
  recordFault: null,
  declined: false,
  badElement: null,
  logo: known('valid'),
  certificate: known('valid'),
  certificateFault: null,
  organizationalDomainReady: true,
};
