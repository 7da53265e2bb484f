import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { anApi } from './harness.ts';

test('when all connections are taken a silent one gives way, and hears why', async () => {
  const { app } = await anApi({ options: { maxConnections: 5 } });
  await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const silent = Array.from({ length: 5 }, () => connect(port, '127.0.0.1'));
  onTestFinished(() => {
    for (const one of silent) one.destroy();
  });
  await Promise.all(silent.map((one) => once(one, 'connect')));
  const heard = Promise.race(silent.map(async (one) => String((await once(one, 'data'))[0])));
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`);
  expect(answer.status).toBe(200);
  expect(await heard).toMatch(/^HTTP\/1\.1 503 [\s\S]*too_many_connections/);
});
