/** Tests the warning about a nats-server that does not sync every write. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type NatsServer, startNats } from '../support/log/nats-server.ts';
import { type Stack, startStack } from '../support/process/stack.ts';

let nats: NatsServer;
let stack: Stack;
beforeAll(async () => {
  nats = await startNats();
  const fixed = { natsMonitoringUrl: nats.monitoringUrl };
  stack = await startStack({ NATS_URL: nats.url }, { fixed });
});
afterAll(async () => {
  await stack?.stop();
  await nats?.end();
});

test('the service warns at the start of a nats-server that does not sync every write', () => {
  expect(stack.log.join('\n')).toMatch(/"level":"warn".*does not sync each write/);
});
