/**
 * Lists setups in which email is sent through each domain of each known platform, with a signature whose key
 * is missing, and with or without an SPF record.
 */

import { PLATFORMS } from '../../../src/domain/platforms.ts';
import { signature } from '../../analysis/whole/keys.ts';
import { ORIGIN } from '../../analysis/whole/zone.ts';
import type { Setup } from './setup.ts';

/** Email through each domain of each platform: its envelope, and its signature, which does not verify. */
export const platformSetups: readonly Setup[] = PLATFORMS.flatMap(({ domains }) => domains).flatMap(
  (domain) =>
    [['v=spf1 ip4:203.0.113.1 ~all'], []].map((TXT) => ({
      name: `platform ${domain}: ${TXT[0] ?? 'no SPF'}`,
      situation: {
        from: { localPart: 'bounce', domain: `bounces.${domain}`, smtputf8: false },
        signatures: [signature({ d: domain })],
        zone: { [`bounces.${domain}`]: { ...ORIGIN, TXT } },
      },
    })),
);
