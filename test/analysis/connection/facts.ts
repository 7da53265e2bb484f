/** Facts about the sending server of a perfect email, for tests. */

import type { ConnectionFacts } from '../../../src/analysis/connection/facts.ts';
import { known } from '../../../src/analysis/lookup-result.ts';
import { HELO, IP } from '../names/facts.ts';

export const connection: ConnectionFacts = {
  ip: IP,
  helo: HELO,
  source: 'smtp',
  tls: { status: 'tls', version: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384' },
  ptr: known([HELO]),
  forward: known({ addresses: { [HELO]: [IP] }, confirmed: true, confirmedNames: [HELO] }),
  heloAddresses: known([IP]),
};
