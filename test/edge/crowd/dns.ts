/**
 * Runs the DNS server of the crowds in a separate thread. Its domains can be made silent, its answers slow,
 * and its queries are counted.
 */

import { isMainThread } from 'node:worker_threads';
import { type DnsServer, startDnsServer } from '../../environment/dns-server.ts';
import type { Zone } from '../../environment/dns-zone.ts';
import { serve, startApart } from './apart.ts';

const createCalls = (server: DnsServer) => ({
  address: () => server.address,
  setZone: (zone: Zone) => server.setZone(zone),
  setDelay: (milliseconds: number) => server.setDelay(milliseconds),
  /** Makes the domain's servers stop answering, for every name in it. */
  silence(domain: string): void {
    for (const name of [domain, `*.${domain}`]) server.setFault(name, 'TIMEOUT');
  },
  /** Returns how many queries have arrived. */
  count: () => server.queries.length,
  queriesSince: (count: number) => server.queries.slice(count),
});

/** Starts a DNS server that answers at once, however busy the attackers are. */
export async function startDns() {
  const server = await startApart<ReturnType<typeof createCalls>>(import.meta.url);
  return { ...server, address: await server.call('address') };
}

if (!isMainThread) serve(createCalls(await startDnsServer({ zone: {} })));
