/**
 * Tests what the service publishes about itself: OpenAPI, llms.txt, the API catalog, the sitemap,
 * the sample report, the catalogue of findings, and one price in all of them.
 */

import { describe, expect, test } from 'vitest';
import { checks } from '../../src/analysis/checks.ts';
import { sampleReport } from '../../src/analysis/sample.ts';
import { describeOffer } from '../../src/api/discovery/manifest.ts';
import { paymentTerms } from '../../src/domain/payment-terms.ts';
import { anApi, BASE_URL, payment as production } from './harness.ts';

const payment = {
  network: 'eip155:84532',
  asset: `0x${'a'.repeat(40)}`,
  assetName: 'USDC',
  assetVersion: '2',
  amount: '1250000',
  payTo: `0x${'b'.repeat(40)}`,
};

test.each([
  ['50000', '0.05'],
  ['1250000', '1.25'],
  ['1000000', '1.00'],
  ['1', '0.000001'],
  ['12345678', '12.345678'],
  ['100000000', '100.00'],
])('%s units are %s dollars', (amount, dollars) => {
  expect(describeOffer({ ...payment, amount })).toMatchObject({
    amount: dollars,
    price: `$${dollars}`,
  });
});

describe('everything that names the price names the same one', () => {
  test('with production settings', async () => {
    const { app } = await anApi();
    const manifest = (await app.inject('/.well-known/x402')).json();
    expect(manifest).toEqual({
      x402Version: 2,
      protocol: {
        name: 'x402',
        version: 2,
        http_status: 402,
        challenge_header: 'PAYMENT-REQUIRED',
        payment_header: 'PAYMENT-SIGNATURE',
        receipt_header: 'PAYMENT-RESPONSE',
      },
      version: 1,
      name: 'Email deliverability test',
      description: expect.stringContaining('$0.05'),
      network: 'eip155:8453',
      testnet: false,
      price: '$0.05',
      mail_domain: 'in.mailtest.example',
      resources: [`${BASE_URL}/v1/report?test_id=samplereport`],
      items: [
        {
          resource: `${BASE_URL}/v1/report?test_id=samplereport`,
          type: 'http',
          method: 'GET',
          x402Version: 2,
          accepts: [paymentTerms(production, Number.POSITIVE_INFINITY)],
        },
      ],
      openapi: `${BASE_URL}/openapi.json`,
      llmsTxt: `${BASE_URL}/llms.txt`,
    });
    expect((await app.inject('/.well-known/x402.json')).json()).toEqual(manifest);
  });

  test('with any other settings', async () => {
    const { app } = await anApi({ settings: { payment } });
    const manifest = (await app.inject('/.well-known/x402')).json();
    const openapi = (await app.inject('/openapi.json')).json();
    const llms = (await app.inject('/llms.txt')).body;
    const front = (await app.inject('/')).body;
    const terms = paymentTerms(payment, Number.POSITIVE_INFINITY);

    expect(manifest).toMatchObject({ price: '$1.25', testnet: true, network: payment.network });
    expect(manifest.items[0].accepts).toEqual([terms]);
    const report = openapi.paths['/v1/report'].get;
    expect(report['x-payment-info']).toEqual({
      price: { mode: 'fixed', currency: 'USD', amount: '1.25' },
      protocols: [{ x402: {} }],
    });
    const { payment_required } = openapi.components.responses;
    const { example } = payment_required.content['application/problem+json'];
    expect(example.accepts).toEqual([terms]);
    for (const part of ['$1.25', payment.network, payment.asset, payment.payTo])
      expect(llms).toContain(part);
    for (const text of [front, report.description, openapi.info.description])
      expect(text).toContain('$1.25');
    for (const text of [front, llms, JSON.stringify([openapi, manifest])])
      expect(text).not.toContain('0.05');
  });
});

test('the API catalog links to everything, by GET and by HEAD', async () => {
  const { app } = await anApi();
  const get = await app.inject('/.well-known/api-catalog');
  expect(get.headers['content-type']).toBe(
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  );
  const [linkset] = get.json().linkset;
  expect(Object.keys(linkset)).toEqual([
    'anchor',
    'service-desc',
    'service-doc',
    'service-meta',
    'status',
  ]);
  const links = Object.values(linkset)
    .flat()
    .flatMap((one) => (one as { href?: string }).href ?? []);
  const targets = [linkset.anchor, ...links];
  for (const target of targets)
    expect((await app.inject(target.slice(BASE_URL.length))).statusCode, target).toBe(200);

  const head = await app.inject({ method: 'HEAD', url: '/.well-known/api-catalog' });
  expect([head.statusCode, head.body]).toEqual([200, '']);
  expect(head.headers.link).toContain('rel="api-catalog"');
});

test('every published address responds', async () => {
  const { app } = await anApi();
  const sitemap = (await app.inject('/sitemap.xml')).body;
  const llms = (await app.inject('/llms.txt')).body;
  const robots = (await app.inject('/robots.txt')).body;
  const listed = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url = '']) => url);
  const linked = [...llms.matchAll(/\]\((.*?)\)/g)].map(([, url = '']) => url);
  const sitemapUrl = /Sitemap: (.*)/.exec(robots)?.[1] ?? '';
  expect(listed.length).toBe(checks.length + 9);

  for (const url of new Set([...listed, ...linked, sitemapUrl])) {
    const path = url.slice(BASE_URL.length);
    for (const method of ['GET', 'HEAD'] as const)
      expect((await app.inject({ method, url: path })).statusCode, `${method} ${path}`).toBe(200);
  }
});

test('llms.txt has its six steps, and a contact only if there is one', async () => {
  const on = await anApi();
  const off = await anApi({ settings: { contactEmail: null } });
  const text = (await on.app.inject('/llms.txt')).body;
  for (const part of [
    '# Email deliverability test\n\n> ',
    `curl -X POST ${BASE_URL}/v1/tests`,
    `curl ${BASE_URL}/v1/tests/TEST_ID/status`,
    'within 60 minutes',
    'within 15 minutes',
    '24 hours after',
    'samplereport',
    'Contact: operator@mailtest.example',
  ])
    expect(text).toContain(part);
  const other = (await off.app.inject('/llms.txt')).body;
  expect(other).not.toContain('Contact');
});

describe('a document that has not changed', () => {
  test('is not sent twice', async () => {
    const { app } = await anApi();
    const first = await app.inject('/openapi.json');
    const etag = String(first.headers.etag);
    expect(first.headers['cache-control']).toBe('public, max-age=3600');
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': known } });
      expect([again.statusCode, again.body]).toEqual([304, '']);
    }
    const other = await app.inject({ url: '/openapi.json', headers: { 'if-none-match': '"x"' } });
    expect(other.statusCode).toBe(200);
  });

  test('follows the address of the service', async () => {
    let base = 'http://127.0.0.1:8080';
    const { app } = await anApi({ settings: { baseUrl: () => base } });
    expect((await app.inject('/robots.txt')).body).toContain(base);
    base = 'https://mail.example';
    expect((await app.inject('/robots.txt')).body).toContain('https://mail.example/sitemap.xml');
  });
});

test('the sample can be read for free', async () => {
  const { app } = await anApi();
  expect((await app.inject('/sample-report.json')).json()).toEqual(sampleReport);
});

describe('the catalogue', () => {
  test('is JSON for programs and a page for browsers', async () => {
    const { app } = await anApi();
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    for (const url of ['/findings', '/findings/spf_record', '/method']) {
      const forProgram = await app.inject(url);
      const forBrowser = await app.inject({ url, headers: { accept } });
      expect(forProgram.headers['content-type']).toContain('application/json');
      expect(forBrowser.headers['content-type']).toContain('text/html');
      expect(forBrowser.headers.vary).toContain('Accept');
      expect(forBrowser.headers.etag).not.toBe(forProgram.headers.etag);
      expect(forBrowser.body).toMatch(/^<!doctype html>\n<html lang="en"/);
    }
  });

  test('explains every finding of the sample, and none that does not apply', async () => {
    const { app } = await anApi();
    for (const { id, title } of sampleReport.findings)
      expect((await app.inject(`/findings/${id}`)).json()).toMatchObject({ id, title });
    expect((await app.inject('/findings')).json().findings).toHaveLength(checks.length);
    for (const id of ['no_such_finding', '__proto__', '%00', 'a'.repeat(500)])
      expect((await app.inject(`/findings/${id}`)).json()).toMatchObject({ code: 'not_found' });
  });

  test('shows no reader the braces of a template, on any page', async () => {
    const { app } = await anApi();
    const texts = checks.map(({ fixes }) => JSON.stringify(fixes)).join();
    const braces = new Set(texts.match(/\{\w+\}/g));
    expect(braces.size).toBeGreaterThan(50);
    const findings = checks.map(({ id }) => `/findings/${id}`);
    const documents = ['/openapi.json', '/llms.txt', '/sample-report.json', '/sample', '/errors'];
    for (const url of ['/findings', '/method', ...findings, ...documents])
      for (const accept of ['*/*', 'text/html']) {
        const { statusCode, body } = await app.inject({ url, headers: { accept } });
        const shown = body.match(/\{\w+\}/g) ?? [];
        expect([url, statusCode, shown.filter((one) => braces.has(one))]).toEqual([url, 200, []]);
      }
  });

  test('shows the content of other people’s records as text', async () => {
    const { app } = await anApi();
    const accept = 'text/html';
    const page = (await app.inject({ url: '/findings/list_unsubscribe', headers: { accept } }))
      .body;
    expect(page).not.toMatch(/<https:/);
  });
});
