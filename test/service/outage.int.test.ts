import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NatsServer, startNats } from '../support/log/nats-server.ts';
import { type Stack, startStack } from '../support/process/stack.ts';
import { until } from '../support/process/until.ts';

let nats: NatsServer;
let stack: Stack;
beforeAll(async () => {
  nats = await startNats();
  stack = await startStack({ NATS_URL: nats.url });
});
afterAll(async () => {
  await stack?.stop();
  await nats?.end();
});

test('a nats-server that does not sync each write is warned of at the start', () => {
  expect(stack.log.join('\n')).toMatch(/"level":"warn".*does not sync each write/);
});

test('a nats-server that is away: 503 and 451; when it is back nothing is lost', async () => {
  const waiting = await stack.create();
  const analysed = await stack.create();
  await stack.send(analysed.address);

  await nats.kill();
  await until(async () => (await fetch(`${stack.http()}/readyz`)).status === 503);
  const create = await fetch(`${stack.http()}/v1/tests`, { method: 'POST' });
  expect([create.status, create.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await create.json()).toMatchObject({ code: 'log_unavailable' });
  await expect(stack.send(waiting.address)).rejects.toThrow(/451[ -]4\.3\.0/);
  const read = await stack.read(analysed);
  expect([read.status, ((await read.json()) as { code: string }).code]).toEqual([
    503,
    'log_unavailable',
  ]);
  // What is in memory is still answered.
  expect(await stack.status(analysed)).toMatchObject({ status: 'ready' });

  await nats.start();
  await until(async () => (await fetch(`${stack.http()}/readyz`)).ok);
  expect(await stack.status(waiting)).toMatchObject({ status: 'waiting' });
  expect(await until(() => stack.send(waiting.address))).toMatch(/^250/);
  expect((await stack.pay(analysed)).status).toBe(200);
  expect((await stack.pay(waiting)).status).toBe(200);
  expect(await stack.income()).toBe(100_000n);
});
