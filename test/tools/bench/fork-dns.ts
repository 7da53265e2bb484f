import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Zone } from '../../environment/dns-zone.ts';

const dnsChild = fileURLToPath(new URL('./dns-child.ts', import.meta.url));

/** A DNS server with this zone in a process of its own, which ends with ours. */
export async function forkDns(zone: Zone) {
  const child = fork(dnsChild, [], { env: {} });
  child.send(zone);
  const [address] = (await once(child, 'message')) as [string];
  return { address, stop: () => void child.disconnect() };
}
