/** Tests which HTTP connections are closed when all of them are taken. */

import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { anApi } from './harness.ts';

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
