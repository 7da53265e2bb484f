import { parentPort } from 'node:worker_threads';
import { startDnsServer } from '../../environment/dns-server.ts';
import type { Zone } from '../../environment/dns-zone.ts';

/** A DNS server in a thread of its own: what it costs is not the reader's. */
const dns = await startDnsServer({ zone: {} });
parentPort?.on('message', (zone: Zone) => {
  dns.setZone(zone);
  parentPort?.postMessage('set');
});
parentPort?.postMessage(dns.address);
