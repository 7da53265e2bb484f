/** Tests the HTTP API with random requests. */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, anApi, given, ready, TOKEN } from '../../api/harness.ts';
import { contractOf } from '../../support/api/contract.ts';
import { runs, timeout } from '../row.ts';

let api: Api;
let contract: ReturnType<typeof contractOf>;
beforeAll(async () => {
  api = await anApi();
  contract = contractOf((await api.app.inject('/openapi.json')).json());
  await given(api, ...ready());
});
afterAll(() => api.app.close());

/** The characters that Node's own parser accepts in a header. */
const headerValue = fc.oneof(
  fc.constant(TOKEN),
  fc.string({
    unit: fc.constantFrom(...' !"#$%&/()=?{}[]\\^~aZ09-_.,;:\t\u00e9\u00ff'),
    maxLength: 300,
  }),
);
const path = fc.oneof(
  fc.constantFrom(
    '/v1/tests',
    '/v1/report',
    '/v1/tests/abcdefgh2345/status',
    '/findings/spf_record',
  ),
  fc.webPath(),
  fc
    .string({ maxLength: 60 })
    .map((text) => `/v1/tests/${encodeURIComponent(toWellFormed(text))}/status`),
  fc
    .string({ unit: fc.constantFrom(...'%/.?#&=;\\+abc019~:@'), maxLength: 40 })
    .map((text) => `/${text}`),
);
const query = fc.oneof(
  fc.constant('test_id=abcdefgh2345'),
  fc.string({ unit: fc.constantFrom(...'test_id=&%0;[]a2+'), maxLength: 200 }),
);
const toWellFormed = (text: string) => text.replace(/[\ud800-\udfff]/g, '');

test(
  'whatever is requested, the response is never a 500, and every error is a documented problem',
  timeout,
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'),
        path,
        query,
        headerValue,
        headerValue,
        fc.option(fc.oneof(fc.json(), fc.string({ maxLength: 200 })), { nil: undefined }),
        fc.constantFrom('application/json', 'text/plain', 'application/json; charset=x', ''),
        async (method, url, search, token, payment, payload, type) => {
          // The injector cannot send it. `rows.int.test.ts` sends such lines over a socket.
          fc.pre(URL.canParse(`${url}?${search}`, 'http://localhost'));
          const answer = await api.app.inject({
            method: method as 'GET',
            url: `${url}?${search}`,
            headers: {
              'x-read-token': token,
              'payment-signature': payment,
              ...(payload !== undefined && { 'content-type': type }),
            },
            ...(payload !== undefined && method !== 'HEAD' && { payload }),
          });
          expect(answer.statusCode).toBeLessThan(500);
          if (answer.statusCode < 400 || method === 'HEAD') return;
          const problem = answer.json();
          expect(problem.status).toBe(answer.statusCode);
          expect(contract.faultsOf('/components/schemas/Problem', problem)).toEqual([]);
        },
      ),
      runs(400),
    );
  },
);
