import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stack, startStack } from '../support/process/stack.ts';
import { until } from '../support/process/until.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ REPLICA_ID: 'replica-1' });
});
afterAll(() => stack?.stop());

test('kill -9 between every two steps: the test is where it was, and is paid for once', async () => {
  const created = await stack.create();
  await stack.kill();
  expect(await stack.status(created)).toMatchObject({ status: 'waiting' });

  expect(await stack.send(created.address)).toMatch(/^250/);
  await stack.kill();
  expect(await stack.status(created)).toMatchObject({ status: 'ready' });

  expect((await stack.read(created)).status).toBe(402);
  await stack.kill();
  const paid = await stack.pay(created);
  expect(paid.status).toBe(200);
  const report = await paid.json();

  await stack.kill();
  const again = await stack.read(created);
  expect([again.status, await again.json()]).toEqual([200, report]);
  expect(await stack.income()).toBe(50_000n);
});

test('kill -9 while a payment is under way: it is taken once and opens the report', async () => {
  const before = await stack.income();
  const created = await stack.create();
  await stack.send(created.address);

  let over = false;
  const paying = stack
    .pay(created)
    .catch(() => undefined)
    .finally(() => {
      over = true;
    });
  await until(async () => over || (await stack.read(created)).status === 503);
  await stack.kill();
  await paying;

  const answer = await until(async () => {
    const response = await stack.pay(created);
    return response.status === 200 ? response : undefined;
  });
  expect(answer.headers.get('payment-response')).not.toBeNull();
  expect((await stack.read(created)).status).toBe(200);
  expect(await stack.income()).toBe(before + 50_000n);
});

test('kill -9 in the middle of a mail: the sender hears no 250, and sending again gives one report', async () => {
  const created = await stack.create();
  const mail = { messageId: '<again@sender.example>', date: new Date() };
  const sending = stack.send(created.address, mail).catch(() => 'broken off');
  await stack.kill();
  const first = await sending;
  const second = await until(() => stack.send(created.address, mail));
  expect([first.slice(0, 3), second.slice(0, 3)]).toContain('250');
  expect(await stack.status(created)).toMatchObject({ status: 'ready' });
});
