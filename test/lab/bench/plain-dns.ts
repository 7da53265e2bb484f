import { startDnsServer } from '../../environment/dns-server.ts';
import type { Zone } from '../../environment/dns-zone.ts';

process.once('disconnect', () => process.exit());
process.once('message', async (zone: Zone) => {
  const { address } = await startDnsServer({ zone });
  process.send?.(address);
});
