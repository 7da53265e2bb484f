/** Tests the security headers and CORS rules of the API. */

import { expect, test } from 'vitest';
import { anApi, given, ready, TOKEN } from './harness.ts';

test('a page of any origin may send any header, such as those of x402 and of its own libraries', async () => {
  const { app } = await anApi();
  const answer = await app.inject({
    method: 'OPTIONS',
    url: '/v1/report?test_id=abcdefgh2345',
    headers: {
      origin: 'https://agent.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers':
        'access-control-expose-headers,payment-signature,traceparent,x-read-token',
    },
  });
  expect(answer.statusCode).toBe(204);
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  const allowed = String(answer.headers['access-control-allow-headers']).split(', ');
  // Browsers do not count `Authorization` as part of `*`.
  expect(allowed).toEqual(
    expect.arrayContaining(['*', 'Authorization', 'PAYMENT-SIGNATURE', 'X-PAYMENT']),
  );
  expect(answer.headers['access-control-allow-methods']).toBe('GET, HEAD, POST, DELETE');
});

test('an OPTIONS request that is not a preflight gets a response, too', async () => {
  const { app } = await anApi();
  expect((await app.inject({ method: 'OPTIONS', url: '/v1/tests' })).statusCode).toBe(204);
});

test.each([402, 200, 404])('a page may read what it needs of a %i', async (status) => {
  const api = await anApi();
  if (status !== 404) await given(api, ...ready());
  if (status === 200)
    api.paid.answer = {
      report: (await import('../../src/analysis/sample.ts')).sampleReport,
      receipt: { success: true, transaction: '', network: 'eip155:8453' },
    };
  const answer = await api.app.inject({
    url: '/v1/report?test_id=abcdefgh2345',
    headers: { origin: 'https://agent.example', 'x-read-token': TOKEN },
  });
  expect(answer.statusCode).toBe(status);
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  expect(answer.headers['access-control-expose-headers']).toBe(
    'PAYMENT-REQUIRED, PAYMENT-RESPONSE, Retry-After, RateLimit, RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Location, Link, X-Request-Id, Preference-Applied, Test-Position',
  );
});

test('a page may read that the path of its request is malformed', async () => {
  const { app } = await anApi();
  const answer = await app.inject('/v1/tests/%zz/status');
  expect(answer.statusCode).toBe(400);
  expect(answer.headers['access-control-allow-origin']).toBe('*');
});

test('data is never interpreted as a page', async () => {
  const { app } = await anApi();
  for (const url of ['/v1/tests/samplereport/status', '/nothing', '/healthz'])
    expect((await app.inject(url)).headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    });
});

const PAGE = {
  'content-security-policy':
    "default-src 'none';script-src 'self';style-src 'self';img-src 'self' data:;connect-src 'self';base-uri 'none';form-action 'self';frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'cross-origin',
};

test.each(['/', '/privacy', '/nothing'])('browsers get one strict policy for %s', async (url) => {
  const { app } = await anApi();
  const { headers } = await app.inject({ url, headers: { accept: 'text/html' } });
  expect(headers).toMatchObject(PAGE);
  // Such a header would either repeat `frame-ancestors` or contradict it.
  for (const name of ['x-powered-by', 'x-frame-options']) expect(headers).not.toHaveProperty(name);
});

test.each([
  ['https://mailtest.example', 'max-age=31536000'],
  ['http://127.0.0.1:8080', undefined],
])('a page at %s asks browsers to use HTTPS for this host only: %s', async (baseUrl, expected) => {
  const { app } = await anApi({ settings: { baseUrl: () => baseUrl } });
  for (const url of ['/', '/nothing']) {
    const { headers } = await app.inject({ url, headers: { accept: 'text/html' } });
    expect(headers['strict-transport-security']).toBe(expected);
  }
});
