/** Tests the endpoint that returns a report, and the order in which it checks a request. */

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { sampleReport } from '../../src/analysis/sample.ts';
import { ServiceError } from '../../src/domain/errors.ts';
import { decodeHeader } from '../../src/domain/x402-headers.ts';
import { anEvent } from '../support/log/events.ts';
import { aReport } from '../support/mail/report.ts';
import { T0, TEST_ID } from '../support/process/instants.ts';
import { type Api, anApi, arrived, created, given, ready, TOKEN } from './harness.ts';

const URL = `/v1/report?test_id=${TEST_ID}`;
const receipt = { success: true, transaction: `0x${'5'.repeat(64)}`, network: 'eip155:8453' };

/** A payment as valid as a header can be, over which every earlier fault must take precedence. */
const PAYMENT = 'eyJ4NDAyVmVyc2lvbiI6Mn0=';

const read = (
  { app }: Api,
  headers: Record<string, string> = { 'x-read-token': TOKEN },
  url = URL,
) => app.inject({ url, headers });

describe('a report that is paid for', () => {
  test('comes with its receipt, and is stored by nobody on the way', async () => {
    const api = await anApi();
    await given(api, ...ready());
    api.paid.answer = { report: aReport(), receipt };
    const answer = await read(api, { 'x-read-token': TOKEN, 'payment-signature': PAYMENT });

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual(aReport());
    expect(decodeHeader(String(answer.headers['payment-response']))).toEqual(receipt);
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expect(api.asked).toMatchObject([
      { testId: TEST_ID, row: { status: 'ready' }, paymentHeader: PAYMENT },
    ]);
  });

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is compressed as %s for clients that ask for it', async (encoding, unpack) => {
    const api = await anApi();
    await given(api, ...ready());
    api.paid.answer = { report: sampleReport };
    const plain = await read(api);
    const packed = await read(api, { 'x-read-token': TOKEN, 'accept-encoding': encoding });
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(packed.headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding' });
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
    expect(JSON.parse(unpack(packed.rawPayload).toString())).toEqual(plain.json());
  });

  test('is requested with the header as it came, or without one', async () => {
    const api = await anApi();
    await given(api, ...ready());
    await read(api);
    await read(api, { 'x-read-token': TOKEN, 'payment-signature': '' });
    await read(api, { 'x-read-token': TOKEN, 'x-payment': PAYMENT });
    expect(api.asked.map(({ paymentHeader }) => paymentHeader)).toEqual([undefined, '', undefined]);
  });

  test('the response of the settler is passed on completely', async () => {
    const api = await anApi();
    await given(api, ...ready());
    api.paid.answer = new ServiceError('payment_required', {
      detail: 'Pay.',
      members: { x402Version: 2, accepts: [] },
      headers: { 'payment-required': 'e30=' },
    });
    const answer = await read(api);
    expect(answer.statusCode).toBe(402);
    expect(answer.headers).toMatchObject({
      'payment-required': 'e30=',
      'cache-control': 'no-store',
      'content-type': 'application/problem+json; charset=utf-8',
    });
    expect(answer.json()).toMatchObject({
      x402Version: 2,
      accepts: [],
      code: 'payment_required',
      type: 'https://mailtest.example/errors#payment_required',
    });
  });
});

describe('refusals in this order, which never charge', () => {
  const wrong = 'x'.repeat(43);

  test('400 without a token, whether or not the test exists', async () => {
    const api = await anApi();
    await given(api, ...ready());
    for (const url of [URL, '/v1/report?test_id=aaaaaaaaaaaa']) {
      const answer = await read(api, { 'payment-signature': PAYMENT }, url);
      expect(answer.json()).toMatchObject({ status: 400, code: 'invalid_request' });
    }
    expect(api.asked).toEqual([]);
  });

  test.each([
    '/v1/report',
    '/v1/report?test_id=',
    '/v1/report?test_id=ABCDEFGH2345',
    '/v1/report?test_id=abcdefgh234%00',
    `${URL}&test_id=${TEST_ID}`,
    `/v1/report?test_id[]=${TEST_ID}`,
    `/v1/report?test_id=${'a'.repeat(10_000)}`,
    '/v1/report?test_id=%E0%A4%A',
  ])('400 for %.60s', async (url) => {
    const api = await anApi();
    await given(api, ...ready());
    expect((await read(api, undefined, url)).json()).toMatchObject({ code: 'invalid_request' });
    expect(api.asked).toEqual([]);
  });

  test('404 for an unknown test, whatever the token', async () => {
    const api = await anApi();
    const answer = await read(api, { 'x-read-token': wrong, 'payment-signature': PAYMENT });
    expect(answer.json()).toMatchObject({ status: 404, code: 'test_not_found' });
    expect(api.asked).toEqual([]);
  });

  test('404 for a test past its deletion', async () => {
    const api = await anApi();
    await given(api, ...ready());
    api.clock.now = T0 + 86_460_000;
    expect((await read(api)).statusCode).toBe(404);
  });

  test.each([
    ...[wrong, 'wrong', TOKEN.slice(0, -1), TOKEN.toLowerCase(), `${TOKEN}, ${TOKEN}`],
    ...[
      '',
      ' ',
      'wrong token!',
      'ab+/cd==',
      'A'.repeat(200),
      'A'.repeat(15_000),
      'tökén',
      '\u0000',
    ],
  ])('403 for the wrong token %j, before the status is shown', async (token) => {
    const api = await anApi();
    await given(api, created());
    const answer = await read(api, { 'x-read-token': token, 'payment-signature': PAYMENT });
    expect(answer.json()).toMatchObject({ status: 403, code: 'wrong_read_token' });
    expect(answer.json()).not.toHaveProperty('test_status');
  });

  test.each([
    ['waiting', [created()]],
    ['waiting', [created(), anEvent('MailRefused', 60)]],
    ['processing', [created(), arrived()]],
    ['rejected_or_not_received', [created(), anEvent('WindowClosed', 3600)]],
    ['analysis_failed', [created(), arrived(), anEvent('AnalysisFailed', 61)]],
  ])('409 while %s', async (status, events) => {
    const api = await anApi();
    await given(api, ...events);
    const answer = await read(api, { 'x-read-token': TOKEN, 'payment-signature': PAYMENT });
    expect(answer.json()).toMatchObject({
      status: 409,
      code: 'report_not_ready',
      test_status: status,
    });
    expect(api.asked).toEqual([]);
  });

  test('the log takes precedence over what this replica knows', async () => {
    const api = await anApi();
    await given(api, ...ready());
    api.late.add(TEST_ID);
    expect((await read(api)).statusCode).toBe(402);
    expect(api.asked).toMatchObject([{ row: { status: 'ready' } }]);
  });

  test('a log that cannot be reached leads to 503', async () => {
    const api = await anApi();
    await given(api, ...ready());
    api.behind.add(TEST_ID);
    api.log.disconnect();
    expect((await read(api)).json()).toMatchObject({ status: 503, code: 'log_unavailable' });
  });
});

describe('the sample', () => {
  const SAMPLE = '/v1/report?test_id=samplereport';

  test.each([
    ['no token', {}],
    ['any token', { 'x-read-token': 'a b' }],
  ])('is offered with %s', async (_name, headers) => {
    const api = await anApi();
    expect((await read(api, headers, SAMPLE)).statusCode).toBe(402);
    expect(api.asked).toMatchObject([{ testId: 'samplereport', row: 'sample' }]);
  });
});
