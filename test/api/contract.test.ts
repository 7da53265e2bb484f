/**
 * Tests every response of the tests API against the OpenAPI document, and its compression, HEAD and
 * OPTIONS.
 */

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { InjectOptions } from 'fastify';
import { describe, expect, test } from 'vitest';
import { sampleReport } from '../../src/analysis/sample.ts';
import { ServiceError } from '../../src/domain/errors.ts';
import { paymentRequired } from '../../src/domain/payment-required.ts';
import { paymentTerms } from '../../src/domain/payment-terms.ts';
import { contractOf } from '../support/api/contract.ts';
import { anEvent } from '../support/log/events.ts';
import { TEST_ID } from '../support/process/instants.ts';
import {
  type Api,
  anApi,
  arrived,
  BASE_URL,
  created,
  given,
  payment,
  ready,
  TOKEN,
} from './harness.ts';

const STATUS = '/v1/tests/{test_id}/status';
const ONE = '/v1/tests/{test_id}';
const REPORT = `/v1/report?test_id=${TEST_ID}`;
const receipt = { success: true, transaction: `0x${'5'.repeat(64)}`, network: 'eip155:8453' };
const holder = { 'x-read-token': TOKEN };

const unpaid = () =>
  new ServiceError('payment_required', {
    detail: 'Pay.',
    members: paymentRequired(BASE_URL, paymentTerms(payment, 3600)),
    headers: { 'payment-required': 'e30=' },
  });

/** A request, the operation that it belongs to, and the status that it must get. */
type Case = readonly [
  name: string,
  operation: string,
  status: number,
  request: InjectOptions & { url: string },
  prepare?: (api: Api) => unknown,
];

const deletion = { method: 'DELETE' as const, url: `/v1/tests/${TEST_ID}`, headers: holder };
const status = { url: `/v1/tests/${TEST_ID}/status` };
const events =
  (...recorded: Parameters<typeof given>[1][]) =>
  (api: Api) =>
    given(api, ...recorded);

const cases: readonly Case[] = [
  ['a new test', '/v1/tests', 201, { method: 'POST', url: '/v1/tests' }],
  ['a list for a body', '/v1/tests', 400, { method: 'POST', url: '/v1/tests', payload: [] }],
  ['a form for a body', '/v1/tests', 415, { method: 'POST', url: '/v1/tests', payload: 'a=b' }],
  [
    'a large body',
    '/v1/tests',
    413,
    { method: 'POST', url: '/v1/tests', payload: { a: 'b'.repeat(20_000) } },
  ],
  ['no log', '/v1/tests', 503, { method: 'POST', url: '/v1/tests' }, ({ log }) => log.disconnect()],
  ['a test that waits', STATUS, 200, status, events(created())],
  ['a refused email', STATUS, 200, status, events(created(), anEvent('MailRefused', 60))],
  ['an email in analysis', STATUS, 200, status, events(created(), arrived())],
  ['a report', STATUS, 200, status, events(...ready())],
  ['no email', STATUS, 200, status, events(created(), anEvent('WindowClosed', 3600))],
  [
    'a failed analysis',
    STATUS,
    200,
    status,
    events(created(), arrived(), anEvent('AnalysisFailed', 61)),
  ],
  ['the sample', STATUS, 200, { url: '/v1/tests/samplereport/status' }],
  ['an odd id', STATUS, 400, { url: '/v1/tests/NO/status' }],
  ['an unknown test', STATUS, 404, status],
  ['a malformed token', '/v1/report', 400, { url: REPORT }],
  ['an unknown test to read', '/v1/report', 404, { url: REPORT, headers: holder }],
  [
    'a wrong token',
    '/v1/report',
    403,
    { url: REPORT, headers: { 'x-read-token': 'no' } },
    events(created()),
  ],
  ['no report yet', '/v1/report', 409, { url: REPORT, headers: holder }, events(created())],
  [
    'an unpaid report',
    '/v1/report',
    402,
    { url: REPORT, headers: holder },
    async (api) => {
      await given(api, ...ready());
      api.paid.answer = unpaid();
    },
  ],
  [
    'a paid report',
    '/v1/report',
    200,
    { url: REPORT, headers: holder },
    async (api) => {
      await given(api, ...ready());
      api.paid.answer = { report: sampleReport, receipt };
    },
  ],
  [
    'a payment that cannot be checked',
    '/v1/report',
    502,
    { url: REPORT, headers: holder },
    async (api) => {
      await given(api, ...ready());
      api.paid.answer = new ServiceError('facilitator_unavailable');
    },
  ],
  [
    'a payment under way',
    '/v1/report',
    503,
    { url: REPORT, headers: holder },
    async (api) => {
      await given(api, ...ready());
      api.paid.answer = new ServiceError('settlement_pending');
    },
  ],
  [
    'a defect',
    '/v1/report',
    500,
    { url: REPORT, headers: holder },
    async (api) => {
      await given(api, ...ready());
      api.paid.answer = new Error('defect');
    },
  ],
  ['a deletion', ONE, 204, deletion, events(...ready())],
  ['a deletion without a token', ONE, 400, { ...deletion, headers: {} }],
  [
    'a deletion with a wrong token',
    ONE,
    403,
    { ...deletion, headers: { 'x-read-token': 'no' } },
    events(created()),
  ],
  ['a deletion of an unknown test', ONE, 404, deletion],
  ['the sample report', '/sample-report.json', 200, { url: '/sample-report.json' }],
  ['the findings', '/findings', 200, { url: '/findings' }],
  ['a finding', '/findings/{id}', 200, { url: '/findings/spf_record' }],
  ['no such finding', '/findings/{id}', 404, { url: '/findings/nothing' }],
  ['the method', '/method', 200, { url: '/method' }],
];

const document = anApi().then(async ({ app }) => (await app.inject('/openapi.json')).json());
const contractNow = document.then(contractOf);

test.each(cases.map((one) => [one[0], one] as const))(
  'the response to %s is as documented',
  async (_name, [, path, expected, request, prepare]) => {
    const api = await anApi();
    const contract = await contractNow;
    await prepare?.(api);
    const answer = await api.app.inject(request);

    expect(answer.statusCode).toBe(expected);
    expect(answer.headers).toHaveProperty('x-request-id');
    if ([429, 502, 503].includes(expected)) expect(answer.headers).toHaveProperty('retry-after');
    const type = String(answer.headers['content-type']);
    const method = (request.method ?? 'GET').toLowerCase();
    const body = answer.body === '' ? undefined : answer.json();
    const got = { status: expected, type, body };
    expect(contract.faultsOfAnswer(path, method, got)).toEqual([]);
  },
);

test('every response about a test has a case here', async () => {
  const { paths } = await document;
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods as object).flatMap(({ responses }) =>
      Object.keys(responses).map((code) => `${path} ${code}`),
    ),
  );
  const covered = cases.map(([, path, code]) => `${path} ${code}`);
  // Responses that all routes share are shown once.
  const shared = / (429|500|503|default)$/;
  expect(documented.filter((one) => !shared.test(one) && !covered.includes(one))).toEqual([]);
});

describe('the document', () => {
  const sizes = { br: brotliDecompressSync, gzip: gunzipSync };

  // Examples of errors, the headers of every limit and the bounds of numbers take up 7 KB of it, filters and
  // relays 1 KB. A field of the report takes up 0.1 to 0.2 KB, and a release adds several.
  test('is at most 80 KB', async () => {
    const { app } = await anApi();
    expect((await app.inject('/openapi.json')).rawPayload.length).toBeLessThanOrEqual(80 * 1024);
  });

  test.each(Object.entries(sizes))('is at most 17 KB as %s, if requested', async (name, unpack) => {
    const { app } = await anApi();
    const plain = await app.inject('/openapi.json');
    const headers = { 'accept-encoding': name };
    const packed = await app.inject({ url: '/openapi.json', headers });
    expect(packed.headers['content-encoding']).toBe(name);
    expect(packed.headers.vary).toContain('Accept-Encoding');
    expect(packed.headers.etag).not.toBe(plain.headers.etag);
    expect(packed.rawPayload.length).toBeLessThanOrEqual(17 * 1024);
    expect(unpack(packed.rawPayload).toString()).toBe(plain.body);

    const again = { ...headers, 'if-none-match': String(packed.headers.etag) };
    expect((await app.inject({ url: '/openapi.json', headers: again })).statusCode).toBe(304);
  });

  test.each(['', 'identity', 'gzip;q=0, br;q=0.0', 'zstd'])(
    'is not compressed for Accept-Encoding: %s',
    async (accepted) => {
      const { app } = await anApi();
      const headers = { 'accept-encoding': accepted };
      const answer = await app.inject({ url: '/openapi.json', headers });
      expect(answer.headers['content-encoding']).toBeUndefined();
    },
  );
});

describe('a HEAD', () => {
  const gets = cases.filter(([, , , { method = 'GET' }]) => method === 'GET');

  test.each(gets.map((one) => [one[0], one] as const))(
    'for %s has the status of the GET and no body',
    async (_name, [, , expected, request, prepare]) => {
      const api = await anApi();
      await prepare?.(api);
      const answer = await api.app.inject({ ...request, method: 'HEAD' });
      expect([answer.statusCode, answer.body]).toEqual([expected, '']);
    },
  );

  test('that carries a payment gets the same response as without one', async () => {
    const api = await anApi();
    await given(api, ...ready());
    api.paid.answer = unpaid();
    const headers = { ...holder, 'payment-signature': 'e30=' };
    const answer = await api.app.inject({ method: 'HEAD', url: REPORT, headers });
    expect(answer.statusCode).toBe(402);
    expect(api.asked.map(({ paymentHeader }) => paymentHeader)).toEqual([undefined]);
  });
});

test.each([
  ['/v1/tests', 'OPTIONS, POST'],
  [`/v1/tests/${TEST_ID}`, 'DELETE, OPTIONS'],
  [REPORT, 'GET, HEAD, OPTIONS'],
  ['/findings', 'GET, HEAD, OPTIONS'],
])('OPTIONS of %s lists %s', async (url, allow) => {
  const { app } = await anApi();
  const answer = await app.inject({ method: 'OPTIONS', url });
  expect([answer.statusCode, answer.headers.allow]).toEqual([204, allow]);
  // RFC 9110 §8.6 forbids it in a 204.
  expect(answer.headers).not.toHaveProperty('content-length');
});
