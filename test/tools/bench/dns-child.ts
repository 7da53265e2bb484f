import { startDnsServer } from '../../environment/dns-server.ts';
import type { Zone } from '../../environment/dns-zone.ts';

/** A DNS server as a process of its own: its work is nobody's who is measured. */
process.once('disconnect', () => process.exit());
process.once('message', async (zone: Zone) => {
  const { address } = await startDnsServer({ zone });
  process.send?.(address);
});
