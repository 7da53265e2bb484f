/** Tests the MCP endpoint: notifications, batches, waiting clients and limits. */

import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sampleReport } from '../../src/analysis/sample.ts';
import { eventually } from '../support/process/eventually.ts';
import { TEST_ID } from '../support/process/instants.ts';
import { type Api, anApi, created, given, settings } from './harness.ts';

const host = '127.0.0.1';

const HEADERS = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

const post = ({ app }: Api, body: unknown, remoteAddress = '192.0.2.1') =>
  app.inject({
    method: 'POST',
    url: '/mcp',
    headers: HEADERS,
    payload: typeof body === 'string' ? body : JSON.stringify(body),
    remoteAddress,
  });

const WAIT_SECONDS = 30;

const wait = { name: 'wait_for_result', arguments: { test_id: TEST_ID, seconds: WAIT_SECONDS } };
const waiting = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: wait };

test.each([
  ['nothing', 'null'],
  ['a text', '"x"'],
  ['an empty batch', '[]'],
  ['lists in lists', `${'['.repeat(8000)}${']'.repeat(8000)}`],
])('%s is malformed, and not a fault of the service', async (_, body) => {
  const api = await anApi();
  expect((await post(api, body)).statusCode).toBe(400);
  expect(api.lines.join('')).not.toContain('"level":"error"');
});

test('a notification gets 202, without a body', async () => {
  const answer = await post(await anApi(), {
    jsonrpc: '2.0',
    method: 'notifications/initialized',
  });
  expect([answer.statusCode, answer.body]).toEqual([202, '']);
});

test.each([
  [200, '*/*'],
  [200, undefined],
  [200, 'application/*, text/event-stream;q=0.5'],
  [200, 'application/json, text/event-stream'],
  [200, 'text/event-stream'],
  [200, 'text/event-stream;q=0, */*'],
  [406, 'text/html'],
])('responds with %i if the client accepts %s', async (status, accept) => {
  const { app } = await anApi();
  const answer = await app.inject({
    method: 'POST',
    url: '/mcp',
    headers: { 'content-type': 'application/json', ...(accept && { accept }) },
    payload: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  expect(answer.statusCode).toBe(status);
});

const postAs = async (accept: string, payload: unknown) => {
  const { app } = await anApi();
  const headers = { 'content-type': 'application/json', accept };
  return app.inject({ method: 'POST', url: '/mcp', headers, payload: JSON.stringify(payload) });
};

const call = (id: number, args: unknown) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'create_test', arguments: args, _meta: { progressToken: id } },
});

test('a client that accepts only JSON gets each response as JSON', async () => {
  const one = await postAs('application/json', call(1, {}));
  expect(one.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(one.headers['cache-control']).toBe('no-store');
  expect(one.json()).toMatchObject({ id: 1, result: { structuredContent: { status: 'waiting' } } });
  const batch = await postAs('application/json', [call(1, {}), call(2, {})]);
  expect(batch.json()).toMatchObject([{ id: 1 }, { id: 2 }]);
});

test('arguments that are null count as absent', async () => {
  const one = await postAs('application/json', call(1, null));
  expect(one.json().result.structuredContent.status).toBe('waiting');
  const [, second] = (await postAs('application/json', [call(1, []), call(2, null)])).json();
  expect(second.result.structuredContent.status).toBe('waiting');
});

test('a client that disconnects no longer waits, and frees its places', async () => {
  const api = await anApi();
  await given(api, created());
  onTestFinished(() => api.app.close());
  await api.app.listen({ host, port: 0 });
  const { port } = api.app.server.address() as AddressInfo;
  /** Returns the number of timers. Each waiting request holds one until its wait is over. */
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
  // The limit is much shorter than their wait.
  const timeout = (WAIT_SECONDS * 1000) / 2;
  await vi.waitFor(() => expect(timers()).toBeLessThan(idle + clients.length / 2), { timeout });
});

const listing = { method: 'tools/list', params: {} };
const reading = { method: 'resources/read', params: { uri: 'deliverability://findings' } };

/** Returns a JSON-RPC batch of this many equal calls. */
const batchOf = (calls: number, call: object) =>
  Array.from({ length: calls }, (_, id) => ({ jsonrpc: '2.0', id, ...call }));

/** Returns the messages of an event stream, in the order of their ids. */
const messagesOf = (body: string): readonly { readonly id: number }[] =>
  [...body.matchAll(/^data: (\{.*)$/gm)]
    .map(([, data = '']) => JSON.parse(data) as { readonly id: number })
    .sort((one, other) => one.id - other.id);

const PER_MINUTE = 50;

const limited = () =>
  anApi({ settings: { rateLimits: { ...settings().rateLimits, default: PER_MINUTE } } });

test.each([
  [1, PER_MINUTE],
  [7, 7],
  [20, 2],
])('batches of %i calls: %i of them may be made per minute', async (calls, batches) => {
  const api = await limited();
  for (let n = 0; n < batches; n++)
    expect((await post(api, batchOf(calls, listing))).statusCode).toBe(200);
  const refused = await post(api, batchOf(calls, listing));
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  const neighbour = await post(api, batchOf(calls, listing), '203.0.113.9');
  expect(neighbour.statusCode).toBe(200);
});

test('a batch larger than a client’s remaining calls uses none of them', async () => {
  const api = await limited();
  for (const calls of [20, 20]) await post(api, batchOf(calls, listing));
  expect((await post(api, batchOf(20, listing))).statusCode).toBe(429);
  // The refused batch counted as one request.
  expect((await post(api, batchOf(9, listing))).statusCode).toBe(200);
});

test.each([21, 100, 300])('a batch of %i calls is refused before any of them', async (calls) => {
  const answer = await post(await anApi(), batchOf(calls, { method: 'ping' }));
  expect([answer.statusCode, answer.json()]).toMatchObject([
    400,
    {
      code: 'invalid_request',
      detail: `A batch may contain at most 20 messages; this one contains ${calls}.`,
    },
  ]);
});

const SAMPLE = { test_id: 'samplereport', read_token: 'x', detail: 'whole' };

test.each([
  ['resources', reading],
  ['tools', { method: 'tools/call', params: { name: 'read_report', arguments: SAMPLE } }],
])('the responses to a batch have a limited size: %s', async (_, call) => {
  const api = await anApi();
  api.paid.answer = { report: sampleReport };
  const { body, statusCode } = await post(api, batchOf(20, call));
  expect(statusCode).toBe(200);
  expect(body.length).toBeLessThan(512 * 1024);
  const answers = messagesOf(body);
  expect(answers).toHaveLength(20);
  expect(JSON.stringify(answers[0])).not.toContain('Send this call again on its own.');
  expect(JSON.stringify(answers.at(-1))).toContain('Send this call again on its own.');
});

const BUSY = '198.51.100.7';
const OTHER = '203.0.113.9';

test('one client with many batches does not delay another network', async () => {
  const api = await anApi();
  // The first call loads the library.
  await post(api, batchOf(1, listing));
  const answered: string[] = [];
  const send = async (calls: number, ip: string) => {
    await post(api, batchOf(calls, listing), ip);
    answered.push(ip);
  };
  await Promise.all([...Array.from({ length: 60 }, () => send(20, BUSY)), send(1, OTHER)]);
  expect(answered.indexOf(OTHER)).toBeLessThan(10);
});
