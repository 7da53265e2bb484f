/**
 * Tests that agents and registries can find and understand what the service sells, and tests
 * security.txt and X-Request-Id.
 */

import { decodePaymentRequiredHeader } from '@x402/core/http';
import { PaymentRequiredV2Schema } from '@x402/core/schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { sampleReport } from '../../src/analysis/sample.ts';
import { ServiceError } from '../../src/domain/errors.ts';
import { paymentRequired } from '../../src/domain/payment-required.ts';
import { paymentTerms } from '../../src/domain/payment-terms.ts';
import { encodeHeader } from '../../src/domain/x402-headers.ts';
import { anApi, BASE_URL, created, given, payment } from './harness.ts';

/** Creates an API that requests payment like the settler. */
async function selling() {
  const api = await anApi();
  const members = paymentRequired(BASE_URL, paymentTerms(payment, 3600));
  const headers = { 'payment-required': encodeHeader(members) };
  api.paid.answer = new ServiceError('payment_required', { detail: 'Pay.', members, headers });
  return api;
}

const path = (url: string) => url.slice(BASE_URL.length);

describe('every URL that is published as paid', () => {
  test('responds with 402 and an option that can be paid, without a token', async () => {
    const { app } = await selling();
    const manifest = (await app.inject('/.well-known/x402')).json();
    const openapi = (await app.inject('/openapi.json')).json();
    const challenge = (await app.inject('/v1/report?test_id=samplereport')).json();
    const { info } = challenge.extensions.bazaar;
    const fromBazaar = `/v1/report?${new URLSearchParams(info.input.queryParams)}`;
    const [parameter] = openapi.paths['/v1/report'].get.parameters;
    const fromOpenapi = `/v1/report?${parameter.name}=${parameter.schema.examples[0]}`;

    const published = [
      ...manifest.resources.map(path),
      ...manifest.items.map((item: { resource: string }) => path(item.resource)),
      path(challenge.resource.url),
      fromBazaar,
      fromOpenapi,
    ];
    for (const url of published) {
      const answer = await app.inject(url);
      expect(answer.statusCode, url).toBe(402);
      const header = decodePaymentRequiredHeader(String(answer.headers['payment-required']));
      expect(PaymentRequiredV2Schema.parse(header).accepts.length, url).toBeGreaterThan(0);
    }
  });

  test('is described for registries in less than 4 KiB', async () => {
    const { app } = await selling();
    const { headers } = await app.inject('/v1/report?test_id=samplereport');
    const header = String(headers['payment-required']);
    expect(header.length).toBeLessThan(4096);
    const { resource, extensions } = PaymentRequiredV2Schema.parse(
      decodePaymentRequiredHeader(header),
    );
    expect(resource.tags).toContain('email');
    expect((await app.inject(path(resource.iconUrl ?? ''))).statusCode).toBe(200);

    const { info, schema } = Object(extensions).bazaar as {
      info: object;
      schema: { properties: { output: { properties: { example: { description: string } } } } };
    };
    const ajv = new Ajv2020({ strict: false });
    expect(ajv.compile(schema)(info)).toBe(true);
    const { example } = schema.properties.output.properties;
    expect(ajv.compile(example)(sampleReport)).toBe(true);
    const full = /https:\S+/.exec(example.description)?.[0] ?? '';
    expect((await app.inject(path(full))).statusCode).toBe(200);
  });
});

test('the schema of the report is complete, with examples, and the sample matches it', async () => {
  const { app } = await anApi();
  const schema = (await app.inject('/schemas/report-2.json')).json();
  expect(schema.$id).toBe(`${BASE_URL}/schemas/report-2.json`);
  expect(schema.properties.score.examples).toEqual([87]);
  const ajv = formats.default(new Ajv2020({ strict: false }));
  expect(ajv.compile(schema)(sampleReport)).toBe(true);
});

test('pages and discovery link to each other', async () => {
  const { app } = await selling();
  for (const url of ['/', '/llms.txt', '/openapi.json', '/v1/report?test_id=samplereport']) {
    const link = String((await app.inject(url)).headers.link);
    for (const [rel, target] of [
      ['service-desc', '/openapi.json'],
      ['service-doc', '/llms.txt'],
      ['api-catalog', '/.well-known/api-catalog'],
    ])
      expect(link, url).toContain(`<${BASE_URL}${target}>; rel="${rel}"`);
  }
});

describe('security.txt', () => {
  test('names a contact and expires in less than a year', async () => {
    const { app, clock } = await anApi();
    const answer = await app.inject('/.well-known/security.txt');
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(answer.body).toContain('Contact: mailto:operator@mailtest.example\n');
    expect(answer.body).toContain(`Canonical: ${BASE_URL}/.well-known/security.txt\n`);
    const expires = Date.parse(/^Expires: (.*)$/m.exec(answer.body)?.[1] ?? '');
    expect(expires).toBeGreaterThan(clock.now);
    expect(expires).toBeLessThan(clock.now + 365 * 86_400_000);
  });

  test('does not exist without a contact', async () => {
    const { app } = await anApi({ settings: { contactEmail: null } });
    expect((await app.inject('/.well-known/security.txt')).statusCode).toBe(404);
  });
});

test('the front page has what registries show: a title, a description, an icon and an image', async () => {
  const { app } = await anApi();
  const { body } = await app.inject('/');
  expect(body).toMatch(/<meta name="description" content="[^"]{50,}">/);
  expect(body).toContain('<meta property="og:title" content="Email deliverability test">');
  expect(body).toContain(`<meta property="og:image" content="${BASE_URL}/icon.svg">`);
  expect(body).toContain('<link rel="icon" href="/icon.svg" type="image/svg+xml">');
  for (const url of ['/icon.svg', '/favicon.ico'])
    expect((await app.inject(url)).headers['content-type']).toBe('image/svg+xml');
});

describe('X-Request-Id', () => {
  test('is on every response, in every problem and in the log', async () => {
    const api = await anApi();
    await given(api, created());
    const seen = new Set<string>();
    for (const url of [
      '/v1/tests/abcdefgh2345/status',
      '/',
      '/healthz',
      '/nothing',
      '/v1/report',
    ]) {
      const answer = await api.app.inject(url);
      const id = String(answer.headers['x-request-id']);
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
      seen.add(id);
      if (answer.statusCode >= 400) expect(answer.json().request_id).toBe(id);
      expect(api.lines.join('')).toContain(id);
    }
    expect(seen.size).toBe(5);
  });

  test('is not taken from the client', async () => {
    const { app } = await anApi();
    const headers = { 'x-request-id': 'mine' };
    expect((await app.inject({ url: '/', headers })).headers['x-request-id']).not.toBe('mine');
  });
});
