import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../support/process/eventually.ts';
import { TEST_ID } from '../support/process/instants.ts';
import { type Api, anApi, created, given } from './harness.ts';

const host = '127.0.0.1';

const HEADERS = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

const post = ({ app }: Api, body: unknown) =>
  app.inject({
    method: 'POST',
    url: '/mcp',
    headers: HEADERS,
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });

const WAIT_SECONDS = 30;

const wait = { name: 'wait_for_result', arguments: { test_id: TEST_ID, seconds: WAIT_SECONDS } };
const waiting = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: wait };

test.each([
  ['nothing', 'null'],
  ['a text', '"x"'],
  ['an empty batch', '[]'],
  ['lists in lists', `${'['.repeat(8000)}${']'.repeat(8000)}`],
])('%s is malformed, and no fault of the service', async (_, body) => {
  const api = await anApi();
  expect((await post(api, body)).statusCode).toBe(400);
  expect(api.lines.join('')).not.toContain('"level":"error"');
});

test('a notification is answered by 202, without a body', async () => {
  const answer = await post(await anApi(), {
    jsonrpc: '2.0',
    method: 'notifications/initialized',
  });
  expect([answer.statusCode, answer.body]).toEqual([202, '']);
});

test('a client that goes away waits no longer, and gives its places back', async () => {
  const api = await anApi();
  await given(api, created());
  onTestFinished(() => api.app.close());
  await api.app.listen({ host, port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  /** Each wait holds a timer until it is over. */
  const timers = () =>
    process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
  const idle = timers();
  const clients = Array.from({ length: 20 }, () => {
    const sent = request({ host, port, method: 'POST', path: '/mcp', headers: HEADERS });
    sent.on('error', () => {});
    sent.end(JSON.stringify(waiting));
    return sent;
  });
  await eventually(async () => expect(timers()).toBeGreaterThanOrEqual(idle + clients.length));

  for (const client of clients) client.destroy();
  // Long before their time is over.
  const timeout = (WAIT_SECONDS * 1000) / 2;
  await vi.waitFor(() => expect(timers()).toBeLessThan(idle + clients.length / 2), { timeout });
});
