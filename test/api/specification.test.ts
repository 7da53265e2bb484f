/** Tests the API against the specification, statement by statement. */

import { describe, expect, test } from 'vitest';
import { sampleReport } from '../../src/analysis/sample.ts';
import type { TestEvent } from '../../src/domain/events.ts';
import { decodeHeader, encodeHeader } from '../../src/domain/x402-headers.ts';
import { nextDeadline, toTimerEvent } from '../../src/projection/deadlines.ts';
import { fold } from '../../src/projection/fold.ts';
import { toRow } from '../../src/projection/row.ts';
import { anEvent } from '../support/log/events.ts';
import { aPayment, aSettler, SETTINGS } from '../support/payments/settler.ts';
import { T0, TEST_ID } from '../support/process/instants.ts';
import { anApi, arrived, created, given, payment, ready, settings, TOKEN } from './harness.ts';

/**
 * The specification, statement by statement: the sentence, the request, and what must come back. If a
 * sentence is about several requests, its row has several pairs. Time is a simulated clock: a row sets it,
 * and the deadlines that have passed fire as in the service.
 */
type Statement = readonly [says: string, ...steps: readonly (Request | Expected)[]];

interface Request {
  /** The earlier events of the test, if this is the first step. */
  readonly given?: readonly TestEvent[];
  /** Seconds since the creation of the test. */
  readonly at?: number;
  readonly ask: string;
  readonly token?: string | null;
  /** A correctly signed payment, or a text that is sent instead of one. */
  readonly pays?: true | string;
  /** The behaviour of the chain and the settlement in the meantime. */
  readonly chain?: 'unknown' | 'failed' | 'away';
}

interface Expected {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: object;
  /** Number of charges so far. */
  readonly charged?: number;
}

const STATUS = `GET /v1/tests/${TEST_ID}/status`;
const REPORT = `GET /v1/report?test_id=${TEST_ID}`;
const refused = anEvent('MailRefused', 60);
const failed = [created(), arrived(), anEvent('AnalysisFailed', 61)];

/** Creates an API, a settler and a log that share one clock, as in a service. */
async function aService() {
  const seller = aSettler();
  seller.script.load = async () => ({ ...sampleReport, test_id: TEST_ID });
  const sell = { ...payment, ...SETTINGS };
  const api = await anApi({ options: { settler: seller.settler }, settings: { payment: sell } });
  const header = aPayment();

  /** Moves the clock and fires what is due, as the timekeeper does. */
  async function to(seconds: number): Promise<void> {
    api.clock.now = T0 + seconds * 1000;
    seller.to(seconds);
    const { durations } = settings();
    for (;;) {
      const events = api.log.all().map(({ event }) => event);
      const row = toRow(fold(events), api.log.all().at(-1)?.seq ?? 0);
      const deadline = row && nextDeadline(row, durations);
      if (!deadline || deadline.at > api.clock.now) return;
      const author = { id: `timer-${events.length}`, by: 'replica-1', firedAt: api.clock.now };
      await given(api, toTimerEvent(row, deadline, author));
    }
  }

  async function send({ ask, token = TOKEN, pays, chain }: Request) {
    const { script } = seller;
    if (chain === 'unknown') script.settle = async () => ({ kind: 'unknown', reason: 'not_mined' });
    if (chain === 'failed') script.chain = async () => ({ state: 'cancelled' });
    if (chain === 'away')
      script.ready = async () => {
        throw new Error('away');
      };
    const [method, url] = ask.split(' ') as ['GET', string];
    const answer = await api.app.inject({
      method,
      url,
      headers: {
        ...(token !== null && { 'x-read-token': token }),
        ...(pays && { 'payment-signature': pays === true ? header : pays }),
      },
    });
    const isJson = String(answer.headers['content-type']).includes('json');
    const paid = seller.types().filter((type) => type === 'PaymentSettled').length;
    const body = isJson ? answer.json() : answer.body;
    return { status: answer.statusCode, headers: answer.headers, body, charged: paid };
  }

  return { api, to, send };
}

const isRequest = (step: Request | Expected): step is Request => 'ask' in step;

async function check([, ...steps]: Statement): Promise<void> {
  const service = await aService();
  const { api, to, send } = service;
  let answer: Awaited<ReturnType<typeof send>> | undefined;
  for (const step of steps)
    if (isRequest(step)) {
      if (step.given) await given(api, ...step.given);
      await to(step.at ?? 120);
      answer = await send(step);
    } else expect(answer).toMatchObject(step);
}

/** Matches a list that contains these members, in any order, among others. */
const among = (...all: readonly unknown[]) => expect.arrayContaining([...all]);
const including = (part: string) => expect.stringContaining(part);
const matching = (pattern: RegExp) => expect.stringMatching(pattern);
const some = expect.anything();
const shows = (body: unknown): Expected => ({ status: 200, body });
const is = (status: number, code: string, more: object = {}): Expected => ({
  ...{ status, charged: 0 },
  body: { status, code, ...more },
});

const paid: Request = { given: ready(), ask: REPORT, pays: true };
const unpaid: Request = { given: ready(), ask: REPORT };
const openapi: Request = { ask: 'GET /openapi.json', token: null };
const manifest: Request = { ask: 'GET /.well-known/x402', token: null };
const schema = (of: object) => shows({ components: { schemas: of } });
const inReport = (properties: object) => schema({ Report: { properties } });
const challenge = (part: object) =>
  expect.toSatisfy((header: string) => {
    expect(decodeHeader(header)).toMatchObject(part);
    return true;
  });
const terms = (part: object): Expected => ({
  status: 402,
  headers: { 'payment-required': challenge({ accepts: [part] }) },
});
const sentTo = (location: string) => shows(including(location));

const sections: Readonly<Record<string, readonly Statement[]>> = {
  '1 What the service does': [
    [
      'The service gives out a one-time email address.',
      { ask: 'POST /v1/tests', token: null },
      { status: 201, body: { address: matching(/^[a-z2-7]{12}@in\.mailtest\.example$/) } },
    ],
    ['The report covers SPF', paid, shows({ authentication: { spf: { result: some } } })],
    [
      'DKIM (key size, alignment)',
      paid,
      shows({ authentication: { dkim: [{ key_bits: expect.any(Number), aligned: true }] } }),
    ],
    ['DMARC', paid, shows({ authentication: { dmarc: { result: some } } })],
    ['ARC', paid, shows({ authentication: { arc: { result: some } } })],
    ['BIMI', paid, shows({ authentication: { bimi: { result: some } } })],
    [
      'reverse DNS of the sending IP (with forward confirmation)',
      paid,
      shows({ connection: { ptr: some, fcrdns: true } }),
    ],
    ['a SpamCop check', paid, shows({ connection: { spamcop: 'not_listed' } })],
    [
      'MTA-STS … records of the sender domain',
      paid,
      shows({ findings: among(expect.objectContaining({ id: 'mta_sts' })) }),
    ],
    [
      'TLS-RPT records of the sender domain',
      paid,
      shows({ findings: among(expect.objectContaining({ id: 'tls_rpt' })) }),
    ],
    ['List-Unsubscribe (one-click)', paid, shows({ message: { list_unsubscribe: some } })],
    [
      'header checks',
      paid,
      shows({ findings: among(expect.objectContaining({ area: 'headers' })) }),
    ],
    [
      'content checks',
      paid,
      shows({ findings: among(expect.objectContaining({ area: 'content' })) }),
    ],
    [
      'It also carries a 0-100 score, a letter grade and up to 3 top fixes.',
      paid,
      shows({
        score: expect.any(Number),
        grade: matching(/^[ABCDF]$/),
        top_fixes: expect.toSatisfy((all: unknown[]) => all.length <= 3),
      }),
    ],
    [
      'Creating a test and checking its status are free.',
      { ask: 'POST /v1/tests', token: null },
      { status: 201, charged: 0 },
      { given: [created()], ask: STATUS, token: null },
      { status: 200, charged: 0 },
    ],
    ['Only reading a finished report is paid', unpaid, is(402, 'payment_required')],
    [
      'fixed price, USD 0.05, paid in a USD stablecoin',
      unpaid,
      terms({ amount: '50000', asset: payment.asset }),
    ],
    [
      'using the x402 v2 protocol',
      unpaid,
      { status: 402, headers: { 'payment-required': challenge({ x402Version: 2 }) } },
    ],
    [
      'No accounts and no API keys exist.',
      openapi,
      shows({
        security: [],
        paths: { '/v1/tests': { post: { security: [] } }, '/v1/report': { get: { security: [] } } },
      }),
    ],
    [
      'Links in the email are never opened.',
      paid,
      shows({ notes: among('links were not opened') }),
    ],
    [
      'Reports are deleted 24 hours after the email arrives.',
      { ...paid, at: 120 },
      { status: 200 },
      { ask: REPORT, at: 60 + 86_399 },
      { status: 200 },
      { ask: REPORT, at: 60 + 86_400 },
      { status: 404 },
    ],
    [
      'Unused tests are deleted 24 hours after creation.',
      { given: [created()], ask: STATUS, at: 86_399 },
      { status: 200 },
      { ask: STATUS, at: 86_400 },
      { status: 404 },
    ],
    [
      '/openapi.json: machine-readable API description',
      openapi,
      shows({ openapi: matching(/^3\.1/) }),
    ],
    ['/.well-known/x402: payment manifest', manifest, shows({ x402Version: 2 })],
    [
      '/llms.txt: plain-text guide',
      { ask: 'GET /llms.txt', token: null },
      { status: 200, headers: { 'content-type': including('text/plain') } },
    ],
    [
      '/.well-known/api-catalog: API catalog (RFC 9727)',
      { ask: 'GET /.well-known/api-catalog', token: null },
      {
        status: 200,
        body: { linkset: some },
        headers: { 'content-type': including('application/linkset+json') },
      },
    ],
    [
      '/sitemap.xml: sitemap',
      { ask: 'GET /sitemap.xml', token: null },
      { status: 200, headers: { 'content-type': including('application/xml') } },
    ],
    ['network eip155:8453', manifest, shows({ network: 'eip155:8453' })],
    ['a production network, testnet false', manifest, shows({ testnet: false })],
    ['price per report "$0.05"', manifest, shows({ price: '$0.05' })],
    ['protocol x402 v2', manifest, shows({ protocol: { name: 'x402', version: 2 } })],
    [
      'HTTP 402 with PAYMENT-REQUIRED and PAYMENT-SIGNATURE headers',
      manifest,
      shows({
        protocol: {
          http_status: 402,
          challenge_header: 'PAYMENT-REQUIRED',
          payment_header: 'PAYMENT-SIGNATURE',
        },
      }),
    ],
    ['mail domain {mail_domain}', manifest, shows({ mail_domain: 'in.mailtest.example' })],
    [
      'POST {base_url}/v1/tests returns test_id, address and read_token.',
      { ask: 'POST /v1/tests', token: null },
      { status: 201, body: { test_id: some, address: some, read_token: some } },
    ],
    [
      'The read_token is returned once only',
      { given: [created()], ask: STATUS },
      { status: 200, body: expect.not.objectContaining({ read_token: some }) },
    ],
    [
      'Send ONE real email to address within 60 minutes.',
      { given: [created()], ask: STATUS, at: 0 },
      shows({ send_before: new Date(T0 + 3_600_000).toISOString() }),
    ],
    [
      'Poll … until it is `ready`',
      { given: ready(), ask: STATUS, token: null },
      shows({ status: 'ready', poll_after_seconds: 0 }),
    ],
    [
      'GET … with header X-Read-Token. The first call without payment gives 402.',
      unpaid,
      { status: 402 },
    ],
    [
      'After payment the call gives 200 with the report JSON.',
      unpaid,
      { status: 402 },
      { ask: REPORT, pays: true },
      { status: 200, body: { test_id: TEST_ID, findings: some }, charged: 1 },
    ],
    [
      'Re-reads of the report after payment are free.',
      paid,
      { status: 200, charged: 1 },
      { ask: REPORT },
      { status: 200, charged: 1 },
      { ask: REPORT, pays: true },
      { status: 200, charged: 1 },
      { ask: REPORT, pays: 'anything' },
      { status: 200, charged: 1 },
    ],
  ],
  '2 Resources and their fields': [
    [
      'test_id: string, pattern ^[a-z2-7]{12}$',
      { ask: 'POST /v1/tests' },
      { status: 201, body: { test_id: matching(/^[a-z2-7]{12}$/) } },
    ],
    [
      'address: one-time receiving address at {mail_domain}',
      { ask: 'POST /v1/tests' },
      { status: 201, body: { address: matching(/@in\.mailtest\.example$/) } },
    ],
    [
      'read_token: secret',
      { ask: 'POST /v1/tests' },
      { status: 201, body: { read_token: matching(/^[\w-]{43}$/) } },
    ],
    [
      'status: string enum waiting, processing, ready, rejected_or_not_received, analysis_failed',
      openapi,
      schema({
        TestStatus: {
          properties: {
            status: {
              enum: [
                'waiting',
                'processing',
                'ready',
                'rejected_or_not_received',
                'analysis_failed',
              ],
            },
          },
        },
      }),
    ],
    [
      'Required fields: schema_version, test_id, received_at, score, grade, top_fixes, suggestions, message, connection, authentication, transport_policy, links, findings, notes.',
      openapi,
      schema({
        Report: {
          required: among(
            'schema_version',
            'test_id',
            'received_at',
            'score',
            'grade',
            'top_fixes',
            'suggestions',
            'message',
            'connection',
            'authentication',
            'transport_policy',
            'links',
            'findings',
            'notes',
          ),
        },
      }),
    ],
    [
      '… and no others',
      openapi,
      schema({ Report: { required: expect.toSatisfy((all: string[]) => all.length === 14) } }),
    ],
    ['schema_version: string, version of the report layout', paid, shows({ schema_version: '2' })],
    ['test_id: string', paid, shows({ test_id: TEST_ID })],
    [
      'received_at: string, date-time',
      openapi,
      inReport({ received_at: { type: 'string', format: 'date-time' } }),
    ],
    [
      'analyzed_at: string, date-time, not required',
      openapi,
      inReport({ analyzed_at: { type: 'string', format: 'date-time' } }),
    ],
    [
      'score: integer, 0 to 100',
      openapi,
      inReport({ score: { type: 'integer', minimum: 0, maximum: 100 } }),
    ],
    [
      'grade: string enum A, B, C, D, F',
      openapi,
      inReport({ grade: { enum: ['A', 'B', 'C', 'D', 'F'] } }),
    ],
    [
      'top_fixes: array of {id, title, fix} (all strings, all required)',
      openapi,
      schema({
        Fix: {
          required: ['id', 'title', 'fix'],
          properties: {
            id: { type: 'string' },
            title: { type: 'string' },
            fix: { type: 'string' },
          },
        },
      }),
    ],
    [
      'up to 3 items',
      openapi,
      inReport({
        top_fixes: { type: 'array', maxItems: 3, items: { $ref: '#/components/schemas/Fix' } },
      }),
    ],
    [
      'taken from fail/warn items, to fix first',
      openapi,
      inReport({ top_fixes: { description: including('severity `fail` or `warn`') } }),
      paid,
      shows({ top_fixes: expect.toSatisfy(areFailOrWarn) }),
    ],
    [
      'suggestions: array of {id, title, fix}; they do not lower the score',
      openapi,
      inReport({ suggestions: { items: { $ref: '#/components/schemas/Fix' } } }),
    ],
    ['message: size', paid, shows({ message: { size_bytes: expect.any(Number) } })],
    [
      'message: From and envelope domains',
      paid,
      shows({
        message: {
          header_from: { domain: 'example.com' },
          envelope_from_domain: expect.any(String),
        },
      }),
    ],
    [
      'message: Message-ID domain',
      paid,
      shows({ message: { message_id_domain: expect.any(String) } }),
    ],
    [
      'message: List-Unsubscribe, content facts',
      paid,
      shows({ message: { list_unsubscribe: some, content: some } }),
    ],
    [
      'never body text',
      paid,
      shows({
        message: expect.not.objectContaining({ text: some, html: some, body: some, subject: some }),
      }),
    ],
    ['cloudflare: the field name is exactly `cloudflare`', openapi, inReport({ cloudflare: some })],
    [
      'authentication: keys spf (object), dkim (array), dmarc (object), arc (object), bimi (object)',
      openapi,
      schema({
        Report: {
          properties: {
            authentication: {
              required: ['spf', 'dkim', 'dmarc', 'arc', 'bimi'],
              properties: { dkim: { type: 'array' } },
            },
          },
        },
      }),
    ],
    [
      'transport_policy: the sender domain’s MTA-STS and TLS-RPT records',
      openapi,
      inReport({ transport_policy: { properties: { mta_sts: some, tls_rpt: some } } }),
    ],
    [
      'links: the value "not_checked" is used until that check is configured',
      paid,
      shows({ links: { status: 'not_checked', domains: [{ reputation: 'not_checked' }] } }),
    ],
    [
      'notes: array of string',
      openapi,
      inReport({ notes: { type: 'array', items: { type: 'string' } } }),
    ],
    [
      'partial_errors: array of string, not required',
      openapi,
      inReport({ partial_errors: { type: 'array', items: { type: 'string' } } }),
    ],
    [
      'connection: ip (string), helo (string), source (string)',
      paid,
      shows({
        connection: { ip: '192.0.2.25', helo: expect.any(String), source: expect.any(String) },
      }),
    ],
    [
      'connection: ptr (array of string), fcrdns (boolean), spamcop (string)',
      paid,
      shows({
        connection: { ptr: ['mail.example.com'], fcrdns: true, spamcop: expect.any(String) },
      }),
    ],
    [
      'connection object (all optional inside)',
      openapi,
      inReport({ connection: expect.not.objectContaining({ required: among('ptr') }) }),
    ],
    [
      'authentication.dkim: each entry carries domain, selector, result, aligned and key_bits',
      openapi,
      inReport({
        authentication: {
          properties: {
            dkim: {
              items: { required: among('domain', 'selector', 'result', 'aligned', 'key_bits') },
            },
          },
        },
      }),
    ],
    [
      'authentication.dkim: one entry per signature',
      openapi,
      inReport({
        authentication: { properties: { dkim: expect.not.objectContaining({ maxItems: 20 }) } },
      }),
    ],
    [
      'authentication.dmarc carries result, policy and alignment',
      openapi,
      inReport({
        authentication: {
          properties: { dmarc: { required: among('result', 'policy', 'alignment') } },
        },
      }),
    ],
    [
      'findings item: id, area, severity, title required',
      openapi,
      schema({
        Finding: {
          required: expect.toSatisfy(
            (all: string[]) => all.toSorted().join() === 'area,id,severity,title',
          ),
        },
      }),
    ],
    [
      'severity: string enum pass, info, warn, fail',
      openapi,
      schema({ Finding: { properties: { severity: { enum: ['pass', 'info', 'warn', 'fail'] } } } }),
    ],
    [
      'detail: string; fix: string',
      openapi,
      schema({ Finding: { properties: { detail: { type: 'string' }, fix: { type: 'string' } } } }),
    ],
  ],
  '3 States and transitions': [
    [
      'waiting: no email received yet',
      { given: [created()], ask: STATUS },
      shows({ status: 'waiting' }),
    ],
    [
      'processing: email received, analysis in progress',
      { given: [created(), arrived()], ask: STATUS, at: 60 },
      shows({ status: 'processing' }),
    ],
    ['ready: report is available', { given: ready(), ask: STATUS }, shows({ status: 'ready' })],
    [
      'rejected_or_not_received: the mail never arrived',
      { given: [created()], ask: STATUS, at: 3_600 },
      shows({ status: 'rejected_or_not_received' }),
    ],
    [
      'rejected_or_not_received: … or was refused',
      { given: [created(), refused], ask: STATUS, at: 960 },
      shows({ status: 'rejected_or_not_received' }),
    ],
    [
      'analysis_failed: analysis did not complete',
      { given: failed, ask: STATUS },
      shows({ status: 'analysis_failed' }),
    ],
    [
      'the status becomes this after 15 minutes',
      { given: [created(), refused], ask: STATUS, at: 959 },
      shows({ status: 'waiting' }),
      { ask: STATUS, at: 960 },
      shows({ status: 'rejected_or_not_received' }),
    ],
    [
      'no report exists',
      { given: [created(), refused], ask: REPORT, at: 960 },
      is(409, 'report_not_ready', { test_status: 'rejected_or_not_received' }),
    ],
    [
      'a report is deleted 24 hours after the email arrives',
      { given: ready(), ask: STATUS, at: 86_459 },
      { status: 200 },
      { ask: STATUS, at: 86_460 },
      { status: 404 },
    ],
    [
      'an unused test 24 hours after creation',
      { given: [created()], ask: STATUS, at: 86_399 },
      { status: 200 },
      { ask: STATUS, at: 86_400 },
      { status: 404 },
    ],
    [
      'A deleted test is reported as unknown (404).',
      { given: ready(), ask: `DELETE /v1/tests/${TEST_ID}` },
      { status: 204 },
      { ask: STATUS },
      is(404, 'test_not_found'),
      { ask: REPORT },
      is(404, 'test_not_found'),
    ],
    ['The report endpoint returns 200 only for a test in state ready', paid, { status: 200 }],
    [
      'for waiting … it returns 409',
      { given: [created()], ask: REPORT, pays: true },
      is(409, 'report_not_ready', { test_status: 'waiting' }),
    ],
    [
      'for … rejected_or_not_received … it returns 409',
      { given: [created()], ask: REPORT, pays: true, at: 3_600 },
      is(409, 'report_not_ready', { test_status: 'rejected_or_not_received' }),
    ],
    [
      'for … analysis_failed it returns 409',
      { given: failed, ask: REPORT, pays: true },
      is(409, 'report_not_ready', { test_status: 'analysis_failed' }),
    ],
  ],
  '4 Endpoints': [
    [
      'Bodies are JSON.',
      { given: [created()], ask: STATUS },
      { status: 200, headers: { 'content-type': including('application/json') } },
    ],
    ['POST /v1/tests (free)', { ask: 'POST /v1/tests', token: null }, { status: 201, charged: 0 }],
    [
      'Response: object with test_id (string), address (string), read_token (string).',
      openapi,
      schema({ CreatedTest: { required: among('test_id', 'address', 'read_token') } }),
    ],
    [
      'GET /v1/tests/{test_id}/status (free)',
      { given: ready(), ask: STATUS, token: null },
      { status: 200, charged: 0 },
    ],
    [
      'Path parameter test_id: string, pattern ^[a-z2-7]{12}$',
      { ask: 'GET /v1/tests/ABCDEFGH2345/status' },
      is(400, 'invalid_request'),
    ],
    [
      '… of 12 characters',
      { ask: 'GET /v1/tests/abcdefgh234/status' },
      is(400, 'invalid_request'),
      { ask: 'GET /v1/tests/abcdefgh23456/status' },
      is(400, 'invalid_request'),
    ],
    ['… of a-z and 2-7', { ask: 'GET /v1/tests/abcdefgh2389/status' }, is(400, 'invalid_request')],
    [
      'GET /v1/report (paid, fixed price USD 0.05)',
      openapi,
      shows({
        paths: {
          '/v1/report': {
            get: {
              'x-payment-info': { price: { mode: 'fixed', currency: 'USD', amount: '0.05' } },
            },
          },
        },
      }),
    ],
    [
      'test_id: query, required, string',
      openapi,
      shows({
        paths: {
          '/v1/report': {
            get: {
              parameters: among(
                expect.objectContaining({
                  name: 'test_id',
                  in: 'query',
                  required: true,
                  schema: expect.objectContaining({ type: 'string', pattern: '^[a-z2-7]{12}$' }),
                }),
              ),
            },
          },
        },
      }),
    ],
    [
      'X-Read-Token: header, required, string',
      openapi,
      shows({
        paths: {
          '/v1/report': {
            get: {
              parameters: among(
                expect.objectContaining({
                  name: 'X-Read-Token',
                  in: 'header',
                  required: true,
                  schema: expect.objectContaining({ type: 'string' }),
                }),
              ),
            },
          },
        },
      }),
    ],
    ['test_id is required', { ask: 'GET /v1/report' }, is(400, 'invalid_request')],
    [
      'X-Read-Token is required',
      { given: ready(), ask: REPORT, token: null },
      is(400, 'invalid_request'),
    ],
    [
      'Without payment: 402 with a PAYMENT-REQUIRED header',
      unpaid,
      { status: 402, headers: { 'payment-required': some } },
    ],
    [
      'With valid payment: 200 with the report object',
      paid,
      shows({ schema_version: some, score: some }),
    ],
    [
      'and a PAYMENT-RESPONSE header carrying the settlement receipt',
      paid,
      {
        status: 200,
        headers: { 'payment-response': challenge({ success: true, transaction: matching(/^0x/) }) },
      },
    ],
    [
      'Repeat reads after payment are free.',
      paid,
      { status: 200, charged: 1 },
      { ask: REPORT },
      { status: 200, charged: 1 },
    ],
  ],
  '5 Authentication': [
    [
      'Creating a test and checking status need no credentials.',
      { ask: 'POST /v1/tests', token: null },
      { status: 201 },
      { given: [created()], ask: STATUS, token: null },
      { status: 200 },
    ],
    [
      'Reading a report needs the header X-Read-Token',
      { given: ready(), ask: REPORT, token: null, pays: true },
      is(400, 'invalid_request'),
    ],
    ...[
      'x'.repeat(43),
      '',
      'wrong token!',
      'ab+/cd==',
      'A'.repeat(200),
      TOKEN.slice(1),
      TOKEN.toUpperCase(),
    ].map(
      (token): Statement => [
        `A wrong token gives 403: ${JSON.stringify(token.slice(0, 20))}`,
        { given: ready(), ask: REPORT, token, pays: true },
        is(403, 'wrong_read_token'),
      ],
    ),
    [
      'A wrong token gives 403, also before the report is ready',
      { given: [created()], ask: REPORT, token: 'x' },
      is(403, 'wrong_read_token'),
    ],
    [
      'Payment uses x402 version 2',
      unpaid,
      { status: 402, headers: { 'payment-required': challenge({ x402Version: 2 }) } },
    ],
    ['scheme "exact"', unpaid, terms({ scheme: 'exact' })],
    ['on network eip155:8453', unpaid, terms({ network: 'eip155:8453' })],
    [
      'paid in a USD stablecoin (USDC)',
      unpaid,
      terms({ extra: { name: 'USD Coin', version: '2' } }),
    ],
    ['for a fixed amount of 0.05 USD', unpaid, terms({ amount: '50000' })],
    [
      'The token contract address … and the payee address …; both are given in the challenge.',
      unpaid,
      terms({ asset: SETTINGS.asset, payTo: SETTINGS.payTo }),
    ],
    [
      'a base64-encoded JSON challenge that lists `accepts` options',
      unpaid,
      {
        status: 402,
        headers: { 'payment-required': matching(/^[A-Za-z0-9+/]+=*$/) },
        body: { accepts: [some] },
      },
    ],
    [
      'Retry the same request with the header PAYMENT-SIGNATURE set to the signed payment.',
      unpaid,
      { status: 402 },
      { ask: REPORT, pays: true },
      { status: 200, charged: 1 },
    ],
    [
      'On success the response is 200 with a PAYMENT-RESPONSE header (the settlement receipt).',
      paid,
      {
        status: 200,
        headers: { 'payment-response': challenge({ success: true, network: 'eip155:8453' }) },
      },
    ],
    [
      'invalid input (400) … never charged',
      { given: ready(), ask: 'GET /v1/report?test_id=NO', pays: true },
      is(400, 'invalid_request'),
    ],
    [
      '… a payment that cannot be read',
      { given: ready(), ask: REPORT, pays: '%%%' },
      is(400, 'invalid_request'),
    ],
    ['unknown test (404) … never charged', { ask: REPORT, pays: true }, is(404, 'test_not_found')],
    [
      'wrong token (403) … never charged',
      { given: ready(), ask: REPORT, token: 'x', pays: true },
      is(403, 'wrong_read_token'),
    ],
    [
      'not-ready reports (409) are never charged',
      { given: [created()], ask: REPORT, pays: true },
      is(409, 'report_not_ready'),
    ],
    [
      'a report that is about to be deleted is never charged',
      { given: ready(), ask: REPORT, pays: true, at: 86_431 },
      is(409, 'sale_closed', {
        pay_before: new Date(T0 + 86_430_000).toISOString(),
        expires_at: new Date(T0 + 86_460_000).toISOString(),
      }),
    ],
    [
      '… and is sold until then',
      { given: ready(), ask: REPORT, at: 86_430 },
      is(402, 'payment_required'),
    ],
    [
      'Upstream failures return 5xx and are not settled.',
      { given: ready(), ask: REPORT, pays: true, chain: 'away' },
      is(502, 'facilitator_unavailable'),
    ],
    [
      '… an outcome that is unknown says that nothing may be signed again',
      { given: ready(), ask: REPORT, pays: true, chain: 'unknown' },
      is(503, 'settlement_pending', { detail: including('Do not sign anything again') }),
    ],
    [
      '… and a settlement that failed for good is not charged',
      { given: ready(), ask: REPORT, pays: true, chain: 'unknown' },
      { status: 503 },
      { ask: REPORT, chain: 'failed' },
      is(402, 'payment_required'),
    ],
  ],
  '7 Errors': [
    [
      '400: malformed or invalid input (for example a test_id not matching the pattern)',
      { ask: 'GET /v1/report?test_id=abc' },
      is(400, 'invalid_request'),
    ],
    [
      '402: payment required; PAYMENT-REQUIRED header carries the x402 v2 challenge',
      unpaid,
      is(402, 'payment_required', { x402Version: 2 }),
    ],
    [
      '403: wrong read token',
      { given: ready(), ask: REPORT, token: 'x' },
      is(403, 'wrong_read_token'),
    ],
    [
      '404: unknown or deleted test',
      { ask: STATUS },
      is(404, 'test_not_found'),
      { ask: REPORT },
      is(404, 'test_not_found'),
    ],
    [
      '409: report not ready: state waiting',
      { given: [created()], ask: REPORT },
      is(409, 'report_not_ready'),
    ],
    [
      '409: … rejected_or_not_received',
      { given: [created(), refused], ask: REPORT, at: 960 },
      is(409, 'report_not_ready'),
    ],
    ['409: … or analysis_failed', { given: failed, ask: REPORT }, is(409, 'report_not_ready')],
    [
      '409 also while the email is analyzed',
      { given: [created(), arrived()], ask: REPORT, at: 60 },
      is(409, 'report_not_ready', { test_status: 'processing' }),
    ],
    [
      '402 for a signature on other terms',
      {
        given: ready(),
        ask: REPORT,
        pays: encodeHeader({
          ...(decodeHeader(aPayment()) as object),
          accepted: { ...SETTINGS, scheme: 'exact', maxTimeoutSeconds: 120, amount: '1' },
        }),
      },
      is(402, 'payment_invalid'),
    ],
    [
      '5xx: upstream failure, not settled',
      { given: ready(), ask: REPORT, pays: true, chain: 'away' },
      is(502, 'facilitator_unavailable'),
    ],
  ],
  '8 Limits': [
    ['Price per report: USD 0.05, fixed', unpaid, terms({ amount: '50000' })],
    [
      'Emails per test: one',
      { given: ready(), ask: STATUS },
      shows({ status: 'ready', received_at: new Date(T0 + 60_000).toISOString() }),
    ],
    [
      'Window to send the email: 60 minutes',
      { given: [created()], ask: STATUS, at: 3_599 },
      shows({ status: 'waiting' }),
      { ask: STATUS, at: 3_600 },
      shows({ status: 'rejected_or_not_received' }),
    ],
    [
      'Time until status becomes rejected_or_not_received after a refusal: 15 minutes',
      { given: [created(), refused], ask: STATUS, at: 60 + 899 },
      shows({ status: 'waiting' }),
      { ask: STATUS, at: 60 + 900 },
      shows({ status: 'rejected_or_not_received' }),
    ],
    [
      'Report retention: 24 hours after the email arrives',
      { given: ready(), ask: STATUS, at: 61 },
      shows({ expires_at: new Date(T0 + 86_460_000).toISOString() }),
    ],
    [
      'Unused test retention: 24 hours after creation',
      { given: [created()], ask: STATUS, at: 1 },
      shows({ expires_at: new Date(T0 + 86_400_000).toISOString() }),
    ],
    ['Findings listed in top_fixes: up to 3', openapi, inReport({ top_fixes: { maxItems: 3 } })],
    ['score range: 0 to 100', openapi, inReport({ score: { minimum: 0, maximum: 100 } })],
  ],
  '9 Versioning': [
    [
      'The API paths carry the prefix /v1.',
      openapi,
      shows({
        paths: { '/v1/tests': some, '/v1/tests/{test_id}/status': some, '/v1/report': some },
      }),
    ],
    [
      'The report carries a schema_version string field.',
      openapi,
      inReport({ schema_version: { type: 'string' } }),
    ],
    ['The payment protocol is x402 version 2.', manifest, shows({ x402Version: 2 })],
    [
      'The machine-readable API description carries its own version, 1.0.0.',
      openapi,
      shows({ info: { version: '1.0.0' } }),
    ],
    [
      'Discovery locations answer: the API catalog names addresses that do',
      { ask: 'GET /.well-known/api-catalog', token: null },
      shows({ linkset: [{ anchor: 'https://mailtest.example/' }] }),
      { ask: 'GET /', token: null },
      { status: 200 },
    ],
    [
      'llms.txt names each call',
      { ask: 'GET /llms.txt', token: null },
      sentTo('/v1/tests'),
      { ask: 'GET /llms.txt', token: null },
      sentTo('/v1/report?test_id='),
    ],
  ],
};

function areFailOrWarn(fixes: readonly { readonly id: string }[]): boolean {
  const worse = sampleReport.findings.filter(({ severity }) => /fail|warn/.test(severity));
  return fixes.every(({ id }) => worse.some((one) => one.id === id));
}

describe.each(Object.entries(sections))('§%s', (_, statements) => {
  test.each(statements.map((one) => [one[0], one] as const))('%s', (_, one) => check(one));
});

test('the table contains the statements of the audit', () => {
  expect(Object.values(sections).flat().length).toBeGreaterThanOrEqual(150);
});
