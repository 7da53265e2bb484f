/** Judges whether the address ranges of trusted relays are too wide. */

import ipaddr from 'ipaddr.js';
import type { RelayProtocol } from '../../domain/relays.ts';
import { type Diagnosis, examined } from './diagnosis.ts';

/** For each protocol, the setting that trusts a relay, and the protocol's name as it appears in texts. */
const PROTOCOLS: Readonly<Record<RelayProtocol, readonly [setting: string, name: string]>> = {
  xclient: ['SMTP_XCLIENT_FROM', 'XCLIENT'],
  xforward: ['SMTP_XFORWARD_FROM', 'XFORWARD'],
  proxy: ['SMTP_PROXY_FROM', 'the PROXY protocol'],
};

/** The shortest prefix lengths, in bits, that are narrow enough for the network of a few relays. */
const NARROW = { ipv4: 24, ipv6: 64 } as const;

function isWide(range: string): boolean {
  const [base, bits] = ipaddr.parseCIDR(range);
  return bits < NARROW[base.kind()];
}

/**
 * Judges the address ranges of relays. Every host in such a range is believed, so a wide range also trusts
 * hosts that are not relays.
 */
export function judgeRelays(
  ranges: Readonly<Record<RelayProtocol, readonly string[]>>,
): readonly Diagnosis[] {
  const protocols = Object.entries(PROTOCOLS) as [RelayProtocol, (typeof PROTOCOLS)['proxy']][];
  return protocols.flatMap(([protocol, [setting, name]]) => {
    if (ranges[protocol].length === 0) return [];
    const { ok, warn } = examined(setting);
    const wide = ranges[protocol].filter(isWide);
    return wide.length === 0
      ? ok(`${ranges[protocol].join(', ')} may name the client with ${name}`)
      : warn(
          `anyone in ${wide.join(', ')} may claim any address with ${name}`,
          'Name only the addresses of the relays: docs/relays.md.',
        );
  });
}
