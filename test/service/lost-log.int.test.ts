/** Tests what the service does when a stream of its log is deleted. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectNats } from '../../src/adapters/nats/connection.ts';
import { highWater, readEnds } from '../../src/adapters/nats/high-water.ts';
import { kvProjection } from '../../src/adapters/nats/projection.ts';
import { isStatusView } from '../../src/domain/status-view.ts';
import { type CreatedTest, type Stack, startStack } from '../support/process/stack.ts';
import { until } from '../support/process/until.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const ready = async () => (await fetch(`${stack.http()}/readyz`)).status;

const connect = () => connectNats({ url: String(stack.environment.env.NATS_URL), name: 'test' });

/** Waits for the bucket, which shows a new test a moment after the response to its creation. */
async function untilShown({ test_id }: CreatedTest): Promise<void> {
  const connection = await connect();
  const views = kvProjection(connection, { bucket: 'status', isValue: isStatusView });
  await until(() => views.get(test_id));
  await connection.close();
}

/**
 * Deletes a stream of the running service, and waits until this was logged and the service has started again.
 */
async function lose(stream: string): Promise<void> {
  const connection = await connect();
  await connection.jsm.streams.delete(stream);
  // Otherwise, the service would not start on the remaining log. An operator would run `replay accept-loss`.
  await highWater(connection).reset(await readEnds(connection));
  await connection.close();

  await until(async () => (await ready()) === 503);
  const isLogged = (line: string) =>
    line.includes(`"stream":"${stream}"`) && line.includes('"loss":"absent"');
  await until(async () => stack.log.find(isLogged));
  // The process ends, and its supervisor starts it again.
  await until(async () => (await ready()) === 200);
}

test('a service whose log was deleted logs it, and starts again once the loss is accepted', async () => {
  const lost = await stack.create();
  expect((await stack.status(lost)).status).toBe('waiting');
  await untilShown(lost);
  await lose('TESTS');

  const missing = await fetch(`${stack.http()}/v1/tests/${lost.test_id}/status`);
  // The bucket still shows that there was such a test.
  expect(missing.status).toBe(503);
  const test = await stack.create();
  await stack.send(test.address);
  expect((await stack.status(test)).status).toBe('ready');
});

test('without the claims of payments, it accepts no money until it has started again', async () => {
  const created = await stack.create();
  await stack.send(created.address);
  await lose('KV_payment_claims');
  const before = await stack.income();
  expect((await stack.pay(created)).status).toBe(200);
  expect(await stack.income()).toBe(before + 50_000n);
});
