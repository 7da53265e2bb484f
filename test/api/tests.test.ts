/**
 * Tests the endpoints that create a test and return its status, also if there is no room for
 * another test or a replica is behind the log.
 */

import { Value } from '@sinclair/typebox/value';
import { expect, test } from 'vitest';
import { hashToken } from '../../src/api/read-token.ts';
import { CreatedTest, TestStatus } from '../../src/api/schemas/tests.ts';
import { isTestId } from '../../src/domain/ids.ts';
import { anEvent } from '../support/log/events.ts';
import { instant, T0, TEST_ID } from '../support/process/instants.ts';
import { anApi, analysed, arrived, BASE_URL, created, given, ready, settings } from './harness.ts';

/** Returns the eight bytes whose base32 begins with these twelve characters. */
function fromBase32(text: string): Uint8Array {
  const digits = [...text].map((one) => BigInt('abcdefghijklmnopqrstuvwxyz234567'.indexOf(one)));
  const bits = digits.reduce((all, digit) => (all << 5n) | digit, 0n) << 4n;
  return new Uint8Array(new BigUint64Array([bits]).buffer).reverse();
}

const reason = {
  code: 'spf_and_dkim_failed',
  detail: 'SPF and DKIM both failed.',
  remedy: 'If the sending address is yours, list it in the SPF record, or sign with DKIM',
};

const STATUS = `/v1/tests/${TEST_ID}/status`;

test('a test is created without a body, and only the hash of its token is kept', async () => {
  const { app, log, clock } = await anApi();
  clock.now = T0;
  const answer = await app.inject({ method: 'POST', url: '/v1/tests' });

  expect(answer.statusCode).toBe(201);
  const body = answer.json();
  expect(Value.Check(CreatedTest, body)).toBe(true);
  expect(isTestId(body.test_id)).toBe(true);
  expect(body.read_token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(body).toMatchObject({
    address: `${body.test_id}@in.mailtest.example`,
    status: 'waiting',
    created_at: instant(0),
    send_before: instant(3600),
    expires_at: instant(86_400),
    status_url: `${BASE_URL}/v1/tests/${body.test_id}/status`,
    report_url: `${BASE_URL}/v1/report?test_id=${body.test_id}`,
  });
  expect(answer.headers.location).toBe(body.status_url);
  expect(answer.headers['cache-control']).toBe('no-store');

  const [recorded] = log.all();
  expect(recorded?.id).toBe(body.test_id);
  expect(recorded?.event.data).toEqual({
    token_sha256: hashToken(body.read_token),
    send_before: instant(3600),
    expires_at: instant(86_400),
  });
});

test('if an id is taken or reserved, another one is used', async () => {
  const ids = ['samplereport', TEST_ID, 'bbbbbbbbbbbb'];
  const random = (bytes: number) =>
    bytes === 8 ? fromBase32(ids.shift() ?? '') : new Uint8Array(bytes).fill(ids.length);
  const api = await anApi({ options: { random } });
  await given(api, created());
  const answer = await api.app.inject({ method: 'POST', url: '/v1/tests' });
  expect(answer.json()).toMatchObject({ test_id: 'bbbbbbbbbbbb' });
  expect(api.log.all().map(({ id }) => id)).toEqual([TEST_ID, 'bbbbbbbbbbbb']);
});

test.each([
  ['{}', 'application/json', 201],
  ['{"unknown":{"member":[1]}}', 'application/json; charset=utf-8', 201],
  ['{"text":"\\u0000"}', 'application/json', 201],
  ['{"__proto__":{"a":1}}', 'application/json', 201],
  ['', 'application/json', 201],
  ['', 'application/x-www-form-urlencoded', 201],
  ['[]', 'application/json', 400],
  ['null', 'application/json', 400],
  ['"text"', 'application/json', 400],
  ['{', 'application/json', 400],
  ['\0', 'application/json', 400],
  ['a=b', 'application/x-www-form-urlencoded', 415],
  ['<a/>', 'text/xml', 415],
  ['{}', 'not a type', 415],
  [`{"a":"${'x'.repeat(16 * 1024)}"}`, 'application/json', 413],
])('a body of %.30j as %s gets %i', async (payload, type, status) => {
  const { app } = await anApi();
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/tests',
    headers: { 'content-type': type },
    payload,
  });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([
    status,
    status === 201 ? 'application/json; charset=utf-8' : 'application/problem+json; charset=utf-8',
  ]);
});

test.each(['unknown', 'full', 'unknown_but_stored'] as const)(
  'if the log answers "%s", the creation gets 503',
  async (fault) => {
    const { app, log } = await anApi();
    log.failNext(fault);
    const answer = await app.inject({ method: 'POST', url: '/v1/tests' });
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toMatchObject({ code: 'log_unavailable', status: 503 });
    expect(answer.headers['retry-after']).toBe('5');
    expect(answer.body).not.toContain('token');
  },
);

const times = { created_at: instant(0), send_before: instant(3600) };
const open = { ...times, test_id: TEST_ID, expires_at: instant(86_400) };
const received = {
  ...open,
  expires_at: instant(86_460),
  received_at: instant(60),
};

test.each([
  ['a new test', [created()], { ...open, status: 'waiting', poll_after_seconds: 5 }],
  [
    'an email in analysis',
    [created(), arrived()],
    { ...received, status: 'processing', poll_after_seconds: 1 },
  ],
  [
    'a report',
    [...ready()],
    { ...received, status: 'ready', poll_after_seconds: 0, pay_before: instant(86_460 - 30) },
  ],
  [
    'a refused email',
    [created(), anEvent('MailRefused', 60)],
    {
      ...open,
      status: 'waiting',
      poll_after_seconds: 5,
      refusal: {
        refused_at: instant(60),
        reasons: [reason],
        send_again_before: instant(960),
      },
    },
  ],
  [
    'a refusal that was final',
    [created(), anEvent('MailRefused', 60), anEvent('RefusalTimeout', 960)],
    {
      ...open,
      status: 'rejected_or_not_received',
      poll_after_seconds: 0,
      refusal: {
        refused_at: instant(60),
        reasons: [reason],
      },
    },
  ],
  [
    'a failed analysis',
    [created(), arrived(), anEvent('AnalysisFailed', 61)],
    {
      ...received,
      status: 'analysis_failed',
      poll_after_seconds: 0,
      failure: { code: 'worker_lost', detail: expect.any(String) },
    },
  ],
])('the status of %s', async (_name, events, body) => {
  const api = await anApi();
  await given(api, ...events);
  const answer = await api.app.inject(STATUS);
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual(body);
  expect(Value.Check(TestStatus, answer.json())).toBe(true);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['retry-after']).toBe(
    body.poll_after_seconds > 0 ? String(body.poll_after_seconds) : undefined,
  );
});

test('a test that received no email lists what may have happened', async () => {
  const api = await anApi();
  await given(api, created(), anEvent('WindowClosed', 3600));
  const { refusal, status } = (await api.app.inject(STATUS)).json();
  expect(status).toBe('rejected_or_not_received');
  expect(Object.keys(refusal)).toEqual(['reasons_possible']);
  expect(refusal.reasons_possible.length).toBeGreaterThan(2);
});

test('a test past its deletion is unknown before the deletion is logged', async () => {
  const api = await anApi();
  await given(api, created(), arrived(), analysed());
  api.clock.now = T0 + 86_460_000;
  expect((await api.app.inject(STATUS)).statusCode).toBe(404);
});

test('a test of another replica is looked up in the log', async () => {
  const api = await anApi();
  await given(api, created());
  api.behind.add(TEST_ID);
  expect((await api.app.inject(STATUS)).statusCode).toBe(200);
  expect(api.leaderReads).toEqual([TEST_ID]);
});

test.each([
  ['/v1/tests/aaaaaaaaaaaa/status', 404, 'test_not_found'],
  ['/v1/tests/ABCDEFGH2345/status', 400, 'invalid_request'],
  ['/v1/tests/abcdefgh2341/status', 400, 'invalid_request'],
  ['/v1/tests/abcdefgh23456/status', 400, 'invalid_request'],
  ['/v1/tests/%00/status', 400, 'invalid_request'],
  ['/v1/tests/%E0%A4%A/status', 400, 'invalid_request'],
  [`/v1/tests/${'a'.repeat(9000)}/status`, 400, 'invalid_request'],
])('%.40s is a %i', async (url, status, code) => {
  const { app } = await anApi();
  const answer = await app.inject(url);
  expect(answer.json()).toMatchObject({ status, code });
  expect(answer.statusCode).toBe(status);
});

test.each(['/v1/tests/aaaaaaaaaaaa/status', '/v1/report?test_id=aaaaaaaaaaaa'])(
  '%s names how long this service keeps a test',
  async (url) => {
    const durations = { ...settings().durations, retentionSeconds: 7200 };
    const { app } = await anApi({ settings: { durations } });
    const answer = await app.inject({ url, headers: { 'x-read-token': 'any' } });
    expect(answer.json().detail).toContain('deleted 2 hours after its email arrived');
  },
);

test('the sample is always ready', async () => {
  const { app } = await anApi();
  const answer = await app.inject('/v1/tests/samplereport/status');
  expect(answer.json()).toMatchObject({ status: 'ready', poll_after_seconds: 0 });
  expect(Value.Check(TestStatus, answer.json())).toBe(true);
});

test.each([
  ['room', /needs its remaining space for existing tests/],
  ['rate', /your network has used its share/],
] as const)(
  'without %s no test is created, and the response says why and when to ask again',
  async (because, reason) => {
    const creation = { admit: () => ({ because, retryAfter: 1234 }), room: () => 0 };
    const { app, log } = await anApi({ options: { creation } });
    const answer = await app.inject({ method: 'POST', url: '/v1/tests' });
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('1234');
    expect(answer.json()).toMatchObject({ code: 'creation_paused' });
    expect(answer.json().detail).toMatch(reason);
    expect(log.all()).toEqual([]);
  },
);

test('a replica that is behind asks the leader, so that no poll goes back', async () => {
  const api = await anApi();
  await given(api, created(), arrived());
  api.late.add(TEST_ID);
  const poll = async () => (await api.app.inject(STATUS)).json().status;
  expect(await poll()).toBe('waiting');
  expect(api.leaderReads).toEqual([]);
  api.follower.isBehind = true;
  expect(await poll()).toBe('processing');
  expect(api.leaderReads).toEqual([TEST_ID]);
  // Without a leader that answers, the known state is the best response.
  api.log.disconnect();
  expect(await poll()).toBe('waiting');
});

test('no replica responds with less than its caller has seen at another', async () => {
  const api = await anApi();
  await given(api, created(), arrived());
  const poll = (position?: unknown) =>
    api.app.inject({
      url: STATUS,
      headers: position === undefined ? {} : { 'test-position': `${position}` },
    });
  const { headers } = await poll();
  api.late.add(TEST_ID);
  const old = await poll();
  expect(old.json().status).toBe('waiting');
  expect(Number(old.headers['test-position'])).toBeLessThan(Number(headers['test-position']));
  // The position that the client has seen is not newer than the known one, or is no position.
  for (const position of [0, old.headers['test-position'], '-1', 'latest', '99999'])
    expect((await poll(position)).json().status).toBe('waiting');
  expect(api.leaderReads).toEqual([]);

  const asked = await poll(headers['test-position']);
  expect(asked.json().status).toBe('processing');
  expect(asked.headers['test-position']).toBe(headers['test-position']);
  expect(api.leaderReads).toEqual([TEST_ID]);
  // Without a leader that answers, no response is better than an older one.
  api.log.disconnect();
  expect((await poll(headers['test-position'])).statusCode).toBe(503);
});
