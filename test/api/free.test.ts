/** Tests the API of a service whose reports are free. */

import { describe, expect, test } from 'vitest';
import { sampleReport } from '../../src/analysis/sample.ts';
import { paymentCodes } from '../../src/domain/errors.ts';
import { contractOf } from '../support/api/contract.ts';
import { TEST_ID } from '../support/process/instants.ts';
import { anApi, given, ready, TOKEN } from './harness.ts';

/** Creates an API where nothing is sold. */
const aFreeApi = () => anApi({ settings: { payment: null } });

const REPORT = `/v1/report?test_id=${TEST_ID}`;
const PRICE =
  /\$\d|usdc|x402|eip-?3009|payment|0x[0-9a-f]{40}|\b(price|paid|pays?|charged?|buy|cost of)\b/i;

describe('where nothing is sold', () => {
  test.each(['/openapi.json', '/llms.txt', '/', '/errors', '/.well-known/api-catalog'])(
    '%s mentions no price',
    async (url) => {
      const { app } = await aFreeApi();
      const { statusCode, body } = await app.inject(url);
      expect(statusCode).toBe(200);
      // Words about an order or a payment may appear, because an email may be about one.
      expect(
        PRICE.exec(body.replaceAll('words typical of an order or a payment', ''))?.[0],
      ).toBeUndefined();
    },
  );

  test('there is no payment manifest', async () => {
    const { app } = await aFreeApi();
    expect((await app.inject('/.well-known/x402')).json().code).toBe('not_found');
  });

  test('the description contains no 402, no 502 and no code about payments', async () => {
    const { app } = await aFreeApi();
    const { paths, components } = (await app.inject('/openapi.json')).json();
    const { parameters, responses, ...operation } = paths['/v1/report'].get;
    expect(operation).not.toHaveProperty('x-payment-info');
    expect(parameters.map(({ name }: { name: string }) => name)).toEqual([
      'test_id',
      'X-Read-Token',
    ]);
    expect(Object.keys(responses)).toEqual([
      '200',
      '400',
      '403',
      '404',
      '409',
      '429',
      '500',
      '503',
      'default',
    ]);
    for (const code of paymentCodes) expect(JSON.stringify(components)).not.toContain(code);
  });

  test('a report needs only its token, and carries no receipt', async () => {
    const api = await aFreeApi();
    await given(api, ...ready());
    api.paid.answer = { report: sampleReport };
    expect((await api.app.inject(REPORT)).statusCode).toBe(400);
    const wrong = await api.app.inject({ url: REPORT, headers: { 'x-read-token': 'wrong' } });
    expect(wrong.statusCode).toBe(403);

    const answer = await api.app.inject({ url: REPORT, headers: { 'x-read-token': TOKEN } });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).not.toHaveProperty('payment-response');
    expect(answer.json()).toEqual(sampleReport);
  });

  test('no status names a payment deadline, and all are as documented', async () => {
    const api = await aFreeApi();
    await given(api, ...ready());
    const contract = contractOf((await api.app.inject('/openapi.json')).json());
    for (const id of [TEST_ID, 'samplereport']) {
      const answer = await api.app.inject(`/v1/tests/${id}/status`);
      const body = answer.json();
      expect(body).toMatchObject({ status: 'ready' });
      expect(body).not.toHaveProperty('pay_before');
      const type = String(answer.headers['content-type']);
      const got = { status: 200, type, body };
      expect(contract.faultsOfAnswer('/v1/tests/{test_id}/status', 'get', got)).toEqual([]);
    }
  });
});
