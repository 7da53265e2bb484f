import { type DnsServer, startDnsServer } from '../../environment/dns-server.ts';
import type { DnsFault, Zone } from '../../environment/dns-zone.ts';
import { serve, startApart } from './apart.ts';

interface Fault {
  readonly names: readonly string[];
  readonly fault: DnsFault | null;
}

const createCalls = (server: DnsServer) => ({
  address: () => server.address,
  setZone: (zone: Zone) => server.setZone(zone),
  setDelay: (milliseconds: number) => server.setDelay(milliseconds),
  /** Of several names at once. */
  setFaults({ names, fault }: Fault): void {
    for (const name of names) server.setFault(name, fault);
  },
  /** How many have come. */
  count: () => server.queries.length,
  queriesSince: (count: number) => server.queries.slice(count),
});

/** A DNS server that answers at once, however busy the attackers are: it has a process of its own. */
export async function startDns() {
  const server = await startApart<ReturnType<typeof createCalls>>(import.meta.url);
  return { ...server, address: await server.call('address') };
}

if (import.meta.main) serve(createCalls(await startDnsServer({ zone: {} })));
