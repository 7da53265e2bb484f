/** Tests the endpoint that deletes a test. */

import { expect, test } from 'vitest';
import { anEvent } from '../support/log/events.ts';
import { TEST_ID } from '../support/process/instants.ts';
import { settleDown } from '../support/process/settle-down.ts';
import { type Api, anApi, analysed, arrived, created, given, ready, TOKEN } from './harness.ts';

const url = `/v1/tests/${TEST_ID}`;
const holder = { 'x-read-token': TOKEN };

const del = ({ app }: Api, headers: Record<string, string> = holder, path = url) =>
  app.inject({ method: 'DELETE', url: path, headers });
const codeOf = async (answer: ReturnType<typeof del>) => {
  const { statusCode, body } = await answer;
  return `${statusCode} ${body === '' ? '' : JSON.parse(body).code}`;
};
const typesOf = ({ log }: Api) => log.all().map(({ event }) => event.type);

test.each([
  ['waiting', [created()]],
  ['refused', [created(), anEvent('MailRefused', 60)]],
  ['processing', [created(), arrived()]],
  ['ready', [...ready()]],
  ['failed', [created(), arrived(), anEvent('AnalysisFailed', 61)]],
  ['without an email', [created(), anEvent('WindowClosed', 3600)]],
])('a test that is %s is deleted by its holder, and unknown from then on', async (_, events) => {
  const api = await anApi();
  await given(api, ...events);
  const answer = await del(api);
  expect([answer.statusCode, answer.body]).toEqual([204, '']);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(typesOf(api).at(-1)).toBe('TestDeleted');
  expect(api.log.all().at(-1)?.event.data).toEqual({});

  expect((await api.app.inject(`${url}/status`)).statusCode).toBe(404);
  const report = { url: `/v1/report?test_id=${TEST_ID}`, headers: holder };
  expect((await api.app.inject(report)).statusCode).toBe(404);
  expect(await codeOf(del(api))).toBe('404 test_not_found');
});

test.each([
  ['a wrong token', '403 wrong_read_token', { 'x-read-token': 'wrong' }, url],
  ['no token', '400 invalid_request', {}, url],
  ['a token that cannot be one', '403 wrong_read_token', { 'x-read-token': 'a b' }, url],
  ['an unknown test', '404 test_not_found', holder, '/v1/tests/zzzzzzzzzzzz'],
  ['a malformed id', '400 invalid_request', holder, '/v1/tests/NOT-AN-ID'],
  ['the sample', '403 wrong_read_token', holder, '/v1/tests/samplereport'],
])('%s gets %s and deletes nothing', async (_, expected, headers, path) => {
  const api = await anApi();
  await given(api, ...ready());
  expect(await codeOf(del(api, headers, path))).toBe(expected);
  expect(typesOf(api)).toEqual(['TestCreated', 'MailArrived', 'AnalysisDone']);
});

test('a body is not needed, and a JSON body is ignored', async () => {
  const api = await anApi();
  await given(api, created());
  const headers = { ...holder, 'content-type': 'application/json' };
  const answer = await api.app.inject({ method: 'DELETE', url, headers, payload: '{"a":1}' });
  expect(answer.statusCode).toBe(204);
});

test('wrong tokens are limited, but the right one always passes', async () => {
  const rateLimits = { create: 0, wrongToken: 2, unknownId: 0, default: 0 };
  const api = await anApi({ settings: { rateLimits } });
  await given(api, created());
  const wrong = { 'x-read-token': 'wrong' };
  expect(await codeOf(del(api, wrong))).toBe('403 wrong_read_token');
  expect(await codeOf(del(api, wrong))).toBe('403 wrong_read_token');
  expect(await codeOf(del(api, wrong))).toBe('429 rate_limited');
  expect(await codeOf(del(api))).toBe('204 ');
});

test('nothing is deleted while a payment is settled, but afterwards it is', async () => {
  const api = await anApi();
  await given(api, ...ready());
  api.paid.settling = true;
  const answer = await del(api);
  expect([answer.statusCode, answer.json().code]).toEqual([503, 'settlement_pending']);
  expect(answer.headers['retry-after']).toBe('5');
  expect(typesOf(api)).not.toContain('TestDeleted');
  api.paid.settling = false;
  expect(await codeOf(del(api))).toBe('204 ');
});

test('events of the test in the meantime do not prevent it', async () => {
  const api = await anApi();
  await given(api, created(), arrived(), analysed());
  // This replica has not yet received the last event.
  api.late.add(TEST_ID);
  expect(await codeOf(del(api))).toBe('204 ');
  expect(typesOf(api).at(-1)).toBe('TestDeleted');
});

test('each of many simultaneous deletions gets 204 or 404, and one is recorded', async () => {
  const api = await anApi();
  await given(api, ...ready());
  const answers = await Promise.all(Array.from({ length: 20 }, () => codeOf(del(api))));
  expect(answers.filter((one) => one !== '204 ' && one !== '404 test_not_found')).toEqual([]);
  expect(answers).toContain('204 ');
  expect(typesOf(api).filter((type) => type === 'TestDeleted')).toHaveLength(1);
});

test('an append without an answer is not a deletion', async () => {
  const api = await anApi();
  await given(api, created());
  api.log.failNext('unknown');
  const answer = await del(api);
  expect([answer.statusCode, answer.json().code]).toEqual([503, 'log_unavailable']);
});

test('a client that waits for a change gets 404 when the test is deleted', async () => {
  const api = await anApi();
  await given(api, created());
  const waiting = api.app.inject({ url: `${url}/status`, headers: { prefer: 'wait=30' } });
  await settleDown();
  expect(await codeOf(del(api))).toBe('204 ');
  expect((await waiting).json().code).toBe('test_not_found');
});
