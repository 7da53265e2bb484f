/** Finds free TCP ports on loopback. */

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The first port to try: below those that systems give to connections and to whoever listens at port 0 (from
 * 32768 on Linux, from 49152 on others), so that a restarted server finds its port still free.
 */
const FIRST_PORT = 10_000;
const END_PORT = 32_768;

/**
 * Number of parts of the range. Each worker of the tests uses its own part, so that no port is given out
 * twice before it is used.
 */
const PARTS = 16;
const PART = Math.floor((END_PORT - FIRST_PORT) / PARTS);
const first = FIRST_PORT + (Number(process.env.VITEST_POOL_ID ?? 0) % PARTS) * PART;
let taken = randomInt(PART);

/** Returns this many different ports of loopback that nobody uses. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = first + (taken++ % PART);
    if (await isFree(port)) ports.push(port);
  }
  return ports;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const free = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (free) await once(server.close(), 'close');
  return free;
}
