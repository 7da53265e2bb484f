/**
 * Tests the error responses of the API, what they reveal and log, and the readiness and liveness
 * probes.
 */

import { gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import type { ApiOptions } from '../../src/api/options.ts';
import { problemAnswers } from '../../src/api/plugins/problem.ts';
import { errors, inboundErrors, ServiceError } from '../../src/domain/errors.ts';
import { anApi, given, ready, TOKEN } from './harness.ts';

const REPORT = '/v1/report?test_id=abcdefgh2345';

describe('requests that no route accepts', () => {
  test.each([
    ['GET', '/nothing', 404, 'not_found', undefined],
    ['GET', '/v1', 404, 'not_found', undefined],
    ['GET', '/v1/tests/', 404, 'not_found', undefined],
    ['GET', '/v1/tests', 405, 'method_not_allowed', 'OPTIONS, POST'],
    ['DELETE', '/v1/tests/abcdefgh2345/status', 405, 'method_not_allowed', 'GET, HEAD, OPTIONS'],
    ['POST', REPORT, 405, 'method_not_allowed', 'GET, HEAD, OPTIONS'],
    ['PUT', '/findings/spf_record', 405, 'method_not_allowed', 'GET, HEAD, OPTIONS'],
    ['PUT', '/', 405, 'method_not_allowed', 'GET, HEAD, OPTIONS, POST'],
    ['PROPFIND', '/openapi.json', 405, 'method_not_allowed', 'GET, HEAD, OPTIONS'],
    ['TRACE', '/v1/tests', 405, 'method_not_allowed', 'OPTIONS, POST'],
    ['PATCH', '/nothing?x=1', 404, 'not_found', undefined],
    ['GET', '/%', 400, 'invalid_request', undefined],
    ['GET', '/../etc/passwd', 404, 'not_found', undefined],
  ] as const)('%s %s is a %i, whatever its body', async (method, url, status, code, allow) => {
    const { app } = await anApi();
    const headers = { 'content-type': 'text/plain' };
    const answer = await app.inject({ method: method as 'GET', url, headers, payload: '{' });
    expect(answer.json()).toMatchObject({
      status,
      code,
      title: errors[code].title,
      type: `https://mailtest.example/errors#${code}`,
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers.allow).toBe(allow);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
  });
});

test.each([
  ['GET', '/v1/report', '', 'The query parameter test_id is missing.'],
  [
    'GET',
    '/v1/report?test_id=x&test_id=y',
    '',
    'The query parameter test_id may appear only once.',
  ],
  [
    'GET',
    '/v1/report?test_id=x',
    '',
    'The query parameter test_id must match pattern "^[a-z2-7]{12}$".',
  ],
  [
    'GET',
    '/v1/tests/X/status',
    '',
    'The path parameter test_id must match pattern "^[a-z2-7]{12}$".',
  ],
  ['GET', REPORT, '', 'The header x-read-token is missing.'],
  ['GET', '/%zz', '', 'The path contains a % that is not part of a valid percent-encoding.'],
  ['POST', '/v1/tests', '[]', 'The request body must be a JSON object.'],
  ['POST', '/v1/tests', '{', 'The request body is not valid JSON.'],
  ['POST', '/v1/tests', `"${'x'.repeat(16_384)}"`, 'At most 16384 bytes are accepted here.'],
] as const)('%s %s %s says what is wrong: %s', async (method, url, payload, detail) => {
  const { app } = await anApi();
  const headers = { 'content-type': 'application/json' };
  const answer = await app.inject({ method, url, ...(payload && { payload, headers }) });
  expect(answer.json().detail).toBe(detail);
});

test.each(['application/x-www-form-urlencoded', 'text/plain', 'not a media type'])(
  'JSON that is sent as %s is told which header is wrong',
  async (type) => {
    const { app } = await anApi();
    const headers = { 'content-type': type };
    const answer = await app.inject({ method: 'POST', url: '/v1/tests', headers, payload: '{}' });
    expect(answer.statusCode).toBe(415);
    expect(answer.json().detail).toContain('Content-Type: application/json');
  },
);

test('a body in a coding that is not decoded is refused, and one with a byte order mark is read', async () => {
  const { app } = await anApi();
  const post = (payload: string | Buffer, headers = {}) =>
    app.inject({
      ...{ method: 'POST', url: '/v1/tests', payload },
      headers: { 'content-type': 'application/json', ...headers },
    });
  const encoded = await post(gzipSync('{}'), { 'content-encoding': 'gzip' });
  expect(encoded.statusCode).toBe(415);
  expect(encoded.headers['accept-encoding']).toBe('identity');
  expect(encoded.json().detail).toBe('Send the body without Content-Encoding.');
  expect((await post('{}', { 'content-encoding': 'Identity' })).statusCode).toBe(201);
  expect((await post('\ufeff{}')).statusCode).toBe(201);
});

test('every code that can occur is explained where its problem points to', async () => {
  const inbound = {
    receive: async () => ({}) as never,
    provider: 'p',
    token: 't',
    maxMessageBytes: 1,
  };
  const shown = async (options: Partial<ApiOptions>) => {
    const { app } = await anApi({ options });
    const { body } = await app.inject('/errors');
    return [...body.matchAll(/<tr id="(\w+)">/g)].map(([, code]) => code);
  };
  expect(await shown({ inbound: [inbound] })).toEqual(Object.keys(errors));
  const direct = Object.keys(errors).filter((code) => !(code in inboundErrors));
  expect(await shown({})).toEqual(direct);
});

test('a defect reveals nothing to clients, and is logged with its place', async () => {
  const api = await anApi();
  await given(api, ...ready());
  api.paid.answer = new TypeError('secret of the payer');
  const answer = await api.app.inject({ url: REPORT, headers: { 'x-read-token': TOKEN } });
  expect(answer.statusCode).toBe(500);
  expect(answer.json()).toEqual({
    request_id: answer.headers['x-request-id'],
    type: 'https://mailtest.example/errors#internal_error',
    title: errors.internal_error.title,
    status: 500,
    code: 'internal_error',
  });
  const log = api.lines.join('');
  expect(log).toContain('"name":"TypeError"');
  expect(log).toContain('problems.test.ts');
  expect(log).not.toContain('secret of the payer');
});

test('a problem that is temporary says when to try again', async () => {
  const api = await anApi();
  await given(api, ...ready());
  const ask = () => api.app.inject({ url: REPORT, headers: { 'x-read-token': TOKEN } });
  api.paid.answer = new ServiceError('facilitator_unavailable');
  expect((await ask()).headers).toMatchObject({ 'retry-after': '5' });
  api.paid.answer = new TypeError('a defect');
  expect((await ask()).headers).not.toHaveProperty('retry-after');
});

test('an error of an adapter that looks like a 4xx is still a defect', async () => {
  const api = await anApi();
  await given(api, ...ready());
  api.paid.answer = Object.assign(new Error('upstream'), { statusCode: 404 });
  const answer = await api.app.inject({ url: REPORT, headers: { 'x-read-token': TOKEN } });
  expect(answer.statusCode).toBe(500);
});

test('no secret reaches the log', async () => {
  const api = await anApi();
  await given(api, ...ready());
  const created = (await api.app.inject({ method: 'POST', url: '/v1/tests' })).json();
  for (const token of [TOKEN, created.read_token, 'wrong-token-of-somebody'])
    await api.app.inject({
      url: `${REPORT}&read_token=${token}`,
      headers: { 'x-read-token': token, 'payment-signature': 'c2lnbmF0dXJl' },
    });
  await api.app.inject(`/secret-path?key=${TOKEN}`);
  const log = api.lines.join('');
  expect(log).toContain('"route":"/v1/report"');
  for (const secret of [TOKEN, created.read_token, 'somebody', 'c2lnbmF0dXJl', 'secret-path'])
    expect(log).not.toContain(secret);
});

test('readiness names what is missing, but liveness does not depend on it', async () => {
  const { app, log } = await anApi();
  expect((await app.inject('/readyz')).json()).toEqual({
    status: 'ready',
    checks: { log: true },
    log_room: 0.5,
  });
  log.disconnect();
  const answer = await app.inject('/readyz');
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toEqual({ status: 'not_ready', checks: { log: false }, log_room: 0.5 });
  expect((await app.inject('/healthz')).statusCode).toBe(200);
});

test('a client that disconnects during its request is not a defect of ours', () => {
  const lines: unknown[] = [];
  const calls: unknown[][] = [];
  const reply: FastifyReply = new Proxy({} as FastifyReply, {
    get:
      (_, name) =>
      (...values: unknown[]) => {
        calls.push([name, ...values]);
        return reply;
      },
  });
  const request = (complete: boolean) =>
    ({
      id: '1',
      raw: { destroyed: true, complete },
      log: { error: (line: unknown) => lines.push(line) },
    }) as unknown as FastifyRequest;
  const { send } = problemAnswers(
    () => 'https://mailtest.example',
    () => '',
  );
  send(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }), request(false), reply);
  expect(lines).toEqual([]);
  expect(calls).toContainEqual(['code', 400]);
  send(new Error('a defect'), request(true), reply);
  expect(lines).toHaveLength(1);
});
