import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Where ports are taken from: below those that systems give to connections and to whoever listens at
 * port 0 (Linux from 32768, others from 49152). A server that starts again finds its port still free.
 */
const FIRST_PORT = 10_000;
const END_PORT = 32_768;

/** Workers of the tests, of which each takes from a part of its own, so that none is given twice before it is used. */
const PARTS = 16;
const PART = Math.floor((END_PORT - FIRST_PORT) / PARTS);
const first = FIRST_PORT + (Number(process.env.VITEST_POOL_ID ?? 0) % PARTS) * PART;
let taken = randomInt(PART);

/** So many ports of loopback that nobody has, all different. */
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
