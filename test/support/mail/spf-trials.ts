/** Tries corrected SPF records on a sender's own zone, as an inspection does. */

import { checkHost } from '../../../src/adapters/mailauth/check-host.ts';
import type { Facts } from '../../../src/analysis/facts.ts';
import { createReader } from '../../../src/analysis/spf/read-record.ts';
import { withSpfTrials } from '../../../src/inspection/spf-record.ts';
import { askZone } from '../../lab/conformance/zone-resolver.ts';

const ask = askZone({
  'example.com': { A: ['192.0.2.80'], MX: ['10 mx.example.com'] },
  'mx.example.com': { A: ['192.0.2.26'] },
});

/**
 * Returns the facts as an inspection passes them on: corrected SPF records are tried on the sender's own
 * zone.
 */
export const tried = (facts: Facts): Promise<Facts> => {
  const { ip, helo, envelopeDomain: domain } = facts.names;
  const sender = { ip: ip ?? '', helo: helo ?? '', localPart: 'news', domain };
  return withSpfTrials(facts, { checkHost, ask, sender, read: createReader() });
};
