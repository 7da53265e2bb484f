/**
 * Tests how responses of providers are read that are no answer, how they are named, and how often the node is
 * asked again.
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { named, openRpc } from '../../../src/adapters/chain/rpc.ts';

interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

/** Starts a provider that gives these responses in turn, and then the last one again and again. */
async function provider(...replies: Reply[]) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const {
      status = 200,
      headers,
      body,
    } = replies[Math.min(requests.length, replies.length - 1)] as Reply;
    requests.push(request);
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const open = (user = '') =>
    openRpc({ rpcUrl: `http://${user}127.0.0.1:${port}/v3/key`, network: 'eip155:8453' });
  return { requests, open, head: () => named(open().getBlockNumber()) };
}

const failed = (code: unknown, message: string) => ({
  jsonrpc: '2.0',
  id: 1,
  error: { code, message },
});
const limited = (code: number, message: string): Reply => ({ body: failed(code, message) });

const FREE_TIER = 'Request timeout on the free tier, please upgrade your tier to the paid one';

test.each<[string, Reply, string, number]>([
  ['a limit', { status: 429, body: 'Too Many Requests' }, 'rate limit: HTTP 429', 2],
  [
    'a limit for an hour',
    { status: 429, headers: { 'retry-after': '3600' }, body: {} },
    'rate limit: HTTP 429',
    1,
  ],
  [
    'a limit until a date',
    { status: 429, headers: { 'retry-after': 'Sun, 06 Nov 2044 08:49:37 GMT' }, body: {} },
    'rate limit: HTTP 429',
    1,
  ],
  [
    'a limit for a day in a 200',
    limited(-32_005, 'daily request count exceeded, request rate limited'),
    'rate limit: code -32005',
    2,
  ],
  ['a proxy’s limit', limited(-32_016, 'over rate limit'), 'rate limit: code -32016', 2],
  [
    'a plan’s limit',
    limited(-32_001, "You've reached the usage limit for your current plan."),
    'rate limit: code -32001',
    2,
  ],
  [
    'an error alone',
    {
      headers: { 'content-type': 'text/plain' },
      body: failed(-32_007, '15/second request limit reached').error,
    },
    'rate limit: code -32007',
    2,
  ],
  [
    'a query too large',
    limited(-32_005, 'query returned more than 10000 results'),
    'code -32005',
    1,
  ],
  ['a bill', { status: 402, body: 'Payment Required' }, 'rate limit: HTTP 402', 1],
  [
    'credits that are used up',
    { status: 402, body: failed(-32_005, 'a text that nobody knows') },
    'rate limit: HTTP 402',
    1,
  ],
  [
    'a free plan without a free machine',
    { status: 408, body: failed(30, FREE_TIER) },
    'HTTP 408',
    2,
  ],
  [
    'a gateway without a node',
    { status: 503, body: failed(-32_011, 'no backend is currently healthy to serve traffic') },
    'HTTP 503',
    2,
  ],
  ['a timeout of a free plan in a 200', limited(30, FREE_TIER), 'rate limit: code 30', 2],
  ['a wrong key', { status: 401, body: { error: 'Unauthorized' } }, 'HTTP 401', 1],
  [
    'a page',
    { body: '<!DOCTYPE html><title>Just a moment...</title>' },
    'no result in the response',
    2,
  ],
  ['a list', { body: [{ jsonrpc: '2.0', id: 1, result: '0x1' }] }, 'no result in the response', 2],
])('%s is no answer, and its name says why', async (_, reply, code, asked) => {
  const { requests, head } = await provider(reply);
  await expect(head()).rejects.toMatchObject({ name: 'RpcError', code });
  expect(requests).toHaveLength(asked);
});

test('a URL that redirects is named, because the redirect loses the request', async () => {
  const redirect = { status: 302, headers: { location: '/elsewhere' }, body: '' };
  const refusal = { status: 405, body: '' };
  const { head } = await provider(redirect, refusal, redirect, refusal);
  await expect(head()).rejects.toMatchObject({ code: 'redirected to another URL' });
});

test('after a limit per second, the second attempt succeeds', async () => {
  const limit = { status: 429, headers: { 'retry-after': '1' }, body: {} };
  const { requests, head } = await provider(limit, {
    body: { jsonrpc: '2.0', id: 1, result: '0x7' },
  });
  expect(await head()).toBe(7n);
  expect(requests).toHaveLength(2);
});

test('a user and password are sent in a header', async () => {
  const { requests, open } = await provider({ body: { jsonrpc: '2.0', id: 1, result: '0x7' } });
  expect(await open('me:p%40ss@').getBlockNumber()).toBe(7n);
  const { authorization } = requests[0]?.headers ?? {};
  expect(authorization).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
});
