/** MTA-STS and TLS-RPT facts of a perfect email, for tests. */

import { known } from '../../../src/analysis/lookup-result.ts';
import type { TransportFacts } from '../../../src/analysis/transport/facts.ts';
import { DOMAIN } from '../names/facts.ts';

export const transport: TransportFacts = {
  report: { domain: DOMAIN, differs_from_envelope: false, mx: ['mx.example.com'] },
  mtaSts: known({ state: 'enforce', fault: null }),
  tlsRpt: known({ state: 'valid', fault: null }),
};
