/**
 * Tests how the connection to nats-server is opened, lost and opened again, and whether a server is
 * recognized as syncing every write.
 */

import { createServer, type Server, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { JetStreamApiError } from '@nats-io/jetstream';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connectNats } from '../../../src/adapters/nats/connection.ts';
import { readSync } from '../../../src/adapters/nats/sync.ts';
import { type NatsServer, startNats } from '../../support/log/nats-server.ts';
import { eventually } from '../../support/process/eventually.ts';

let server: NatsServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(() => server?.end());

/** Sends the greeting of a nats-server of that version. */
async function greeting(version: string): Promise<{ url: string; server: Server }> {
  const info = { server_id: 'x', version, proto: 1, max_payload: 1024, headers: true };
  const old = createServer((socket) => {
    socket.on('error', () => {});
    socket.write(`INFO ${JSON.stringify(info)}\r\n`);
    socket.on('data', (data) => data.includes('PING') && socket.write('PONG\r\n'));
  });
  await new Promise<void>((resolve) => old.listen(0, '127.0.0.1', resolve));
  const address = old.address();
  if (typeof address !== 'object' || !address) throw new Error('no address');
  return { url: `nats://127.0.0.1:${address.port}`, server: old };
}

test.each([
  ['2.9.25', 1, '2.10'],
  ['2.10.27', 3, '2.11'],
])('nats-server %s with %i replicas is refused', async (version, replicas, least) => {
  const old = await greeting(version);
  await expect(connectNats({ url: old.url, name: 'test', replicas })).rejects.toThrow(
    `nats-server ${version} is too old: ${least} or later is needed.`,
  );
  old.server.close();
});

test('a server that does not exist is an error at the start', async () => {
  await expect(connectNats({ url: 'nats://127.0.0.1:1', name: 'test' })).rejects.toThrow();
});

test('a server without TLS is not used for a tls:// address', async () => {
  const secure = server.url.replace('nats:', 'tls:');
  await expect(connectNats({ url: secure, name: 'test' })).rejects.toThrow(
    "server does not support 'tls'",
  );
});

test('a lost connection is detected, and opened again', async () => {
  const connection = await connectNats({ url: server.url, name: 'test' });
  expect(connection.connected()).toBe(true);
  await server.kill();
  await eventually(() => expect(connection.connected()).toBe(false));
  await server.start();
  await eventually(() => expect(connection.connected()).toBe(true));
  await connection.close();
  expect(connection.connected()).toBe(false);
});

test('a server that dies while it greets delays the client for seconds, not longer', async () => {
  const connection = await connectNats({ url: server.url, name: 'test' });
  await server.kill();
  await eventually(() => expect(connection.connected()).toBe(false));
  // Sends a word and dies, like a nats-server that is killed at this moment.
  let greeted = 0;
  const dying = createServer((socket) => {
    socket.on('error', () => {});
    const info = JSON.stringify({ server_id: 'x', version: '2.15.1', proto: 1 });
    socket.write(`INFO ${info}\r\n`, () => socket.destroy());
    greeted++;
  });
  await new Promise<void>((resolve) =>
    dying.listen(Number(new URL(server.url).port), '127.0.0.1', resolve),
  );
  await eventually(() => expect(greeted).toBeGreaterThan(0));
  await new Promise((resolve) => dying.close(resolve));
  await server.start();
  await eventually(() => expect(connection.connected()).toBe(true));
  await connection.close();
});

test('appends that fail for 30 s count as a lost connection, until one is acknowledged', async () => {
  const connection = await connectNats({ url: server.url, name: 'test' });
  vi.useFakeTimers({ toFake: ['performance'] });
  connection.noteAppend(false);
  vi.advanceTimersByTime(29_999);
  connection.noteAppend(false);
  expect(connection.connected()).toBe(true);
  vi.advanceTimersByTime(1);
  connection.noteAppend(false);
  expect(connection.connected()).toBe(false);
  connection.noteAppend(true);
  expect(connection.connected()).toBe(true);
  vi.useRealTimers();
  await connection.close();
});

test('a server that has gone is tried a few times a second', async () => {
  const gone = await startNats();
  const connection = await connectNats({ url: gone.url, name: 'test' });
  const dials = vi.spyOn(Socket.prototype, 'connect');
  try {
    await gone.kill();
    await eventually(() => expect(dials.mock.calls.length).toBeGreaterThan(1));
    dials.mockClear();
    await sleep(1000);
    expect(dials.mock.calls.length).toBeLessThan(20);
    await gone.start();
    await eventually(() => expect(connection.online()).toBe(true));
  } finally {
    dials.mockRestore();
    await connection.close();
    await gone.end();
  }
});

test('a node that reports for 10 s that a stream has no leader is left, but a shorter election is tolerated', async () => {
  const connection = await connectNats({ url: server.url, name: 'test' });
  const reconnect = vi.spyOn(connection.nc, 'reconnect').mockResolvedValue();
  vi.useFakeTimers({ toFake: ['performance'] });
  const noLeader = new JetStreamApiError({ code: 503, err_code: 10008, description: '' });
  const say = (...pauses: readonly number[]) => {
    for (const pause of pauses) {
      vi.advanceTimersByTime(pause);
      connection.noteOutage(noLeader);
    }
  };
  say(0, 5000, 4999);
  // The next silence belongs to another election.
  say(6000, 5000, 4999);
  connection.noteOutage(new Error('other'));
  expect(reconnect).not.toHaveBeenCalled();
  say(1);
  expect(reconnect).toHaveBeenCalledTimes(1);
  vi.useRealTimers();
  await connection.close();
});

test('one append that was not acknowledged does not count for ever, if nobody tries another', async () => {
  const connection = await connectNats({ url: server.url, name: 'test' });
  vi.useFakeTimers({ toFake: ['performance'] });
  connection.noteAppend(false);
  vi.advanceTimersByTime(3_600_000);
  expect(connection.connected()).toBe(true);
  vi.useRealTimers();
  await connection.close();
});

test('a server that is started again is not confused with the one that did not respond', async () => {
  const connection = await connectNats({ url: server.url, name: 'test' });
  vi.useFakeTimers({ toFake: ['performance'] });
  connection.noteAppend(false);
  vi.advanceTimersByTime(30_000);
  connection.noteAppend(false);
  expect(connection.connected()).toBe(false);
  vi.useRealTimers();
  await server.kill();
  await server.start();
  await eventually(() => expect(connection.connected()).toBe(true));
  await connection.close();
});

test.each([
  ['2m', 'delayed'],
  ['always', 'always'],
])('a server that syncs %s is recognized as %s', async (sync, expected) => {
  const other = await startNats({ sync });
  expect(await readSync('nats://127.0.0.1', other.monitoringUrl)).toBe(expected);
  await other.end();
});

test('a server without monitoring is unknown', async () => {
  expect(await readSync('127.0.0.1:1', 'http://127.0.0.1:1')).toBe('unknown');
});
