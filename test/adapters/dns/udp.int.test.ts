/** Tests DNS queries over UDP: ports, ids, retries and forged answers. */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { encodeQuery } from '../../../src/adapters/dns/message.ts';
import { createUdp } from '../../../src/adapters/dns/udp.ts';

const QUERIES = 40;
const LONG_MS = 5000;

interface Seen {
  readonly port: number;
  readonly id: number;
}

/** Starts a server that answers a query as it is told, by default with the query itself as "no data". */
async function startServer(answer: (message: Buffer) => Buffer | undefined) {
  const socket = createSocket('udp4');
  const seen: Seen[] = [];
  socket.on('message', (message, { port, address }) => {
    seen.push({ port, id: message.readUInt16BE(0) });
    const reply = answer(message);
    if (reply) socket.send(reply, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { seen, udp: createUdp({ host: '127.0.0.1', port: socket.address().port }) };
}

const query = (name: string) => encodeQuery(0, name, 'A', { edns: false }) ?? Buffer.alloc(0);

const noData = (message: Buffer): Buffer => {
  const reply = Buffer.from(message);
  reply.writeUInt16BE(0x8180, 2);
  return reply;
};

const distinct = (values: readonly number[]) => new Set(values).size;

test('concurrent queries share a port, a few dozen at most, each with its own id', async () => {
  const { seen, udp } = await startServer(noData);
  const replies = await Promise.all(
    Array.from({ length: QUERIES }, (_, n) => udp(query(`n${n}.example`), 'A', LONG_MS)),
  );
  expect(replies.every(({ status }) => status === 'nodata')).toBe(true);
  const ports = Map.groupBy(seen, ({ port }) => port);
  expect([...ports.values()].map(({ length }) => length)).toEqual([32, 8]);
  for (const sent of ports.values()) expect(distinct(sent.map(({ id }) => id))).toBe(sent.length);
});

test('a query without an answer is repeated from another port', async () => {
  const { seen, udp } = await startServer(() => undefined);
  const ask = () => udp(query('silent.example'), 'A', 50);
  expect(await ask()).toEqual({ status: 'failed', error: 'TIMEOUT' });
  expect(await ask()).toEqual({ status: 'failed', error: 'TIMEOUT' });
  expect(distinct(seen.map(({ port }) => port))).toBe(2);
});

test('an answer with another id, or to another question, is ignored', async () => {
  const other = noData(query('other.example'));
  const { udp } = await startServer((message) => {
    const wrongId = noData(message);
    wrongId.writeUInt16BE((message.readUInt16BE(0) + 1) % 0x10000, 0);
    const isFirst = message.includes('first');
    if (!isFirst) return wrongId;
    other.writeUInt16BE(message.readUInt16BE(0), 0);
    return other;
  });
  const replies = await Promise.all(
    ['first.example', 'second.example'].map((name) => udp(query(name), 'A', 100)),
  );
  expect(replies).toEqual(Array(2).fill({ status: 'failed', error: 'TIMEOUT' }));
});

test('a server that does not exist fails all queries in progress at once', async () => {
  const closed = createSocket('udp4').bind(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address();
  closed.close();
  const udp = createUdp({ host: '127.0.0.1', port });
  const replies = await Promise.all(
    ['a.example', 'b.example'].map((name) => udp(query(name), 'A', LONG_MS)),
  );
  expect(replies).toEqual(Array(2).fill({ status: 'failed', error: 'UNREACHABLE' }));
});
