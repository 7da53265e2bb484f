/** Tests the HTTP API with malformed requests, sent byte by byte. */

import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, anApi, given, ready, TOKEN } from '../../api/harness.ts';
import { WAIT_MS } from '../../run/limits.mjs';
import type { Row } from '../row.ts';

let api: Api;
let port: number;
beforeAll(async () => {
  api = await anApi();
  await given(api, ...ready());
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  port = (api.app.server.address() as AddressInfo).port;
});
afterAll(() => api.app.close());

/** Sends bytes as they are and returns everything that comes back. */
const exchange = (bytes: string, ms = WAIT_MS) =>
  new Promise<string>((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'));
    socket.setTimeout(ms, () => socket.destroy(new Error('no answer')));
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });

const get = (path: string, ...headers: readonly string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n');

interface Expected {
  readonly status: number;
  readonly code: string;
}

/**
 * Malformed requests, each sent as it is. The response must be a problem, within the time limit of any test,
 * and the connection must end.
 */
const rows = (
  [
    [
      'a header of 20 kB',
      get('/', `PAYMENT-SIGNATURE: ${'A'.repeat(20_000)}`),
      431,
      'headers_too_large',
    ],
    ['a query of 20 kB', get(`/v1/report?test_id=${'a'.repeat(20_000)}`), 431, 'headers_too_large'],
    ['a query of 10 kB', get(`/v1/report?test_id=${'a'.repeat(10_000)}`), 400, 'invalid_request'],
    ['an unknown method', get('/').replace('GET', 'BREW'), 400, 'invalid_request'],
    ['a method of other protocols', get('/').replace('GET', 'PROPFIND'), 405, 'method_not_allowed'],
    ['no HTTP at all', 'EHLO mail.example\r\n\r\n', 400, 'invalid_request'],
    ['a NUL in a header', get('/', 'X-Read-Token: a\0b'), 400, 'invalid_request'],
    ['a NUL in the path', get('/v1/tests/\0/status'), 400, 'invalid_request'],
    ['a backslash', get('/\\'), 404, 'not_found'],
    ['no Host', get('/').replace('Host: x\r\n', ''), 400, 'invalid_request'],
    ['two Hosts', get('/', 'Host: y'), 400, 'invalid_request'],
    ['a tunnel', get('a:443').replace('GET', 'CONNECT'), 405, 'method_not_allowed'],
    ['HTTP/2 at once', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'invalid_request'],
    ['a TLS hello', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', 400, 'invalid_request'],
    ['a folded header', get('/', 'X: a\r\n b'), 400, 'invalid_request'],
    ['two lengths', get('/', 'Content-Length: 1', 'Content-Length: 2'), 400, 'invalid_request'],
    [
      'a length beside chunks',
      get('/', 'Content-Length: 1', 'Transfer-Encoding: chunked'),
      400,
      'invalid_request',
    ],
    [
      'a broken chunk',
      `${get('/v1/tests', 'Content-Type: application/json', 'Transfer-Encoding: chunked').replace('GET', 'POST')}zz\r\n`,
      400,
      'invalid_request',
    ],
  ] as [string, string, number, string][]
).map(
  ([name, input, status, code]): Row<string, { ms: number }, Expected> => ({
    name,
    input,
    budget: { ms: WAIT_MS },
    expected: { status, code },
  }),
);

test.each(rows)('$name is a problem', async ({ input, budget, expected }) => {
  const [head = '', body = ''] = (await exchange(input, budget.ms)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${expected.status} `));
  expectProblem(head, body, expected);
  if (expected.code === 'invalid_request' || expected.code === 'headers_too_large')
    expect(JSON.parse(body).detail).toMatch(/^[A-Z].+\.$/);
});

/** Expects a problem document with this content, and one of our request ids in it and in the header. */
function expectProblem(head: string, body: string, problem: object) {
  expect(head.toLowerCase()).toContain('content-type: application/problem+json');
  const request_id = /^x-request-id: (\S+)/im.exec(head)?.[1];
  expect(request_id).toMatch(/^[\w-]{36}$/);
  expect(JSON.parse(body)).toMatchObject({ ...problem, request_id });
}

test('a request that does not arrive in time is a problem', async () => {
  const { server } = api.app;
  const { requestTimeout, headersTimeout } = server;
  // Node would swap them otherwise, and a body could arrive later than a header.
  expect(headersTimeout).toBeLessThanOrEqual(requestTimeout);
  Object.assign(server, { requestTimeout: 100, headersTimeout: 100 });
  const slow = await Promise.all([
    exchange('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: '),
    exchange(
      get('/v1/tests', 'Content-Type: application/json', 'Content-Length: 9').replace(
        'GET',
        'POST',
      ),
    ),
  ]);
  Object.assign(server, { requestTimeout, headersTimeout });
  for (const answer of slow) {
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    expectProblem(head, body, { status: 408, code: 'request_timeout' });
  }
});

test('an unknown expectation is ignored', async () => {
  expect(await exchange(get('/v1/tests/abcdefgh2345/status', 'Expect: tea'))).toMatch(
    /^HTTP\/1.1 200 /,
  );
});

test('a HEAD with a payment requests the report as if it had none', async () => {
  const head = get(
    '/v1/report?test_id=abcdefgh2345',
    `X-Read-Token: ${TOKEN}`,
    'PAYMENT-SIGNATURE: e30=',
  );
  const answer = await exchange(head.replace('GET', 'HEAD'));
  expect(answer).toMatch(/^HTTP\/1.1 402 /);
  expect(answer.split('\r\n\r\n')[1]).toBe('');
  expect(api.asked.at(-1)?.paymentHeader).toBeUndefined();
});
