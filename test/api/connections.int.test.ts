/**
 * Tests which HTTP connections are closed when all of them are taken, and that clients that close their side
 * get their responses.
 */

import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { TEST_ID } from '../support/process/instants.ts';
import { anApi, created, given } from './harness.ts';

async function listen(maxConnections: number) {
  const { app } = await anApi({ options: { maxConnections } });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  let accepted = 0;
  app.server.on('connection', () => accepted++);
  const connectAll = async () => {
    const clients = Array.from({ length: maxConnections }, () => connect(port, '127.0.0.1'));
    onTestFinished(() => {
      for (const one of clients) one.destroy();
    });
    await Promise.all(clients.map((one) => once(one, 'connect')));
    // The kernel connects a client before the server accepts it.
    await expect.poll(() => accepted).toBe(maxConnections);
    return clients;
  };
  return { app, connectAll, healthz: () => fetch(`http://127.0.0.1:${port}/healthz`) };
}

test('when all connections are taken, a silent one gives way and is told why', async () => {
  const { connectAll, healthz } = await listen(5);
  const silent = await connectAll();
  const heard = Promise.race(silent.map(async (one) => String((await once(one, 'data'))[0])));
  expect((await healthz()).status).toBe(200);
  expect(await heard).toMatch(/^HTTP\/1\.1 503 [\s\S]*too_many_connections/);
});

test('a client that sends requests but reads no responses gives way, and keeps no connection', async () => {
  const { app, connectAll, healthz } = await listen(3);
  const sockets: Socket[] = [];
  app.server.on('connection', (socket) => sockets.push(socket));
  const isFull = () => sockets.every(({ writableLength }) => writableLength > 0);
  const open = () => sockets.filter(({ destroyed }) => !destroyed).length;
  const deaf = await connectAll();
  const request = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20);
  for (const one of deaf) one.pause();
  await expect.poll(() => deaf.every((one) => one.write(request)) && isFull()).toBe(true);
  for (let n = 0; n < 5; n++) expect((await healthz()).status).toBe(200);
  await expect.poll(open).toBeLessThanOrEqual(3);
});

/** Sends requests, closes the sending side of the connection, and returns the responses. */
async function sendAndClose(...requests: string[]) {
  const api = await anApi();
  await given(api, created());
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => api.app.close());
  const { port } = api.app.server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.end(requests.map((one) => `${one} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
  return text(client);
}

test.each([
  ['POST /v1/tests', '201 Created'],
  ['DELETE /v1/tests/aaaaaaaaaaaa', '400 Bad Request'],
  [`GET /v1/tests/${TEST_ID}/status`, '200 OK'],
])('a client that closes its side after %s gets its response', async (request, status) => {
  expect(await sendAndClose(request)).toMatch(`HTTP/1.1 ${status}`);
});

test('a client that closes its side gets all its responses, and does not wait', async () => {
  const waiting = `GET /v1/tests/${TEST_ID}/status HTTP/1.1\r\nHost: x\r\nPrefer: wait=30\r\n\r\n`;
  const answers = await sendAndClose(`${waiting.repeat(20)}POST /v1/tests`);
  expect(answers.match(/HTTP\/1.1 200/g)).toHaveLength(20);
  expect(answers).toContain('HTTP/1.1 201');
});
