/** Tests the endpoint through which an inbound provider delivers emails over HTTP. */

import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { isTestId } from '../../src/domain/ids.ts';
import { anEvent } from '../support/log/events.ts';
import {
  BLOCK,
  HANDED,
  HEADERS,
  inboundEnvironment,
  TOKEN,
} from '../support/mail/inbound-environment.ts';
import { ADDRESS, MAIL, MAIL_DOMAIN, refused } from '../support/mail/mail-environment.ts';
import { headerLines, providerHeaders } from '../support/mail/provider.ts';
import { TEST_ID } from '../support/process/instants.ts';
import { anApi } from './harness.ts';

const MIB = 1024 * 1024;

describe('an email that passes', () => {
  test('gets 200 when its report and its state are durable', async () => {
    const environment = await inboundEnvironment();
    const answer = await environment.post();
    expect(answer).toMatchObject({ status: 200, body: { test_id: TEST_ID, status: 'ready' } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(environment.types()).toEqual(['TestCreated', 'MailArrived', 'AnalysisDone']);
  });

  test('is recognized from the provider’s headers, and measured below them', async () => {
    const environment = await inboundEnvironment();
    await environment.post();
    expect(environment.tests.all()[1]?.event).toMatchObject({
      data: {
        source: 'cloudflare',
        ip: '192.0.2.25',
        helo: 'mail.example.com',
        tls: 'not_observable',
        envelope_domain: 'example.com',
        size_bytes: MAIL.length,
      },
    });
    expect(environment.inspection.texts).toEqual([HANDED]);
    expect(environment.inspection.blocks).toMatchObject([{ bytes: BLOCK.length, sealed: true }]);
    expect(environment.inspection.begun).toMatchObject([
      {
        client: { ip: '192.0.2.25', source: 'received-spf', tls: { status: 'not_observable' } },
        from: { localPart: 'bounce', domain: 'example.com', smtputf8: false },
      },
    ]);
  });

  test('is recognized when it is delivered again under other headers', async () => {
    const environment = await inboundEnvironment();
    await environment.post();
    const { received } = providerHeaders({ to: ADDRESS });
    const later = headerLines({ received: received.replace('AbCdEf', 'ZyXwVu') }) + MAIL;
    expect(await environment.post(later)).toMatchObject({ status: 200, body: { status: 'ready' } });
    expect(await environment.post(MAIL)).toMatchObject({ status: 200 });
    expect(environment.types()).toHaveLength(3);
  });

  test('is accepted without the provider’s headers, its sender unknown', async () => {
    const environment = await inboundEnvironment();
    expect(await environment.post(MAIL)).toMatchObject({ status: 200 });
    expect(environment.tests.all()[1]?.event).toMatchObject({ data: { ip: null, helo: null } });
    expect(environment.inspection.begun).toMatchObject([{ client: { source: 'unknown' } }]);
  });

  test('is also done with if its analysis failed for good', async () => {
    const makeReport = () => {
      throw new Error('a defect');
    };
    const environment = await inboundEnvironment({ environment: { makeReport } });
    expect(await environment.post()).toMatchObject({
      status: 200,
      body: { status: 'analysis_failed' },
    });
  });

  test('is in memory once, and nowhere afterwards', async () => {
    const environment = await inboundEnvironment();
    await environment.post();
    expect(environment.mailBuffer.bytes()).toBe(0);
    for (const mail of environment.inspection.mails)
      expect(mail.buffer.detached || mail.every((byte) => byte === 0)).toBe(true);
    expect(environment.inspection.ended).toBe(1);
  });

  test.each([
    ['<>', { localPart: '', domain: '' }],
    ['', { localPart: '', domain: '' }],
    [
      'b%C3%BCcher@b%C3%BCcher.example',
      { localPart: 'bücher', domain: 'xn--bcher-kva.example', smtputf8: true },
    ],
    ['a%25b@EXAMPLE.com', { localPart: 'a%b', domain: 'example.com', smtputf8: false }],
    ['"a%20@b"@[192.0.2.1]', { localPart: '"a @b"', domain: '[192.0.2.1]' }],
  ])('may come from %s', async (from, expected) => {
    const environment = await inboundEnvironment();
    expect(await environment.post(HANDED, { 'x-envelope-from': from })).toMatchObject({
      status: 200,
    });
    expect(environment.inspection.begun).toMatchObject([{ from: expected }]);
  });
});

const replyOf = (start: string) => ({
  smtp_reply: expect.stringMatching(new RegExp(`^${start} `)),
});

describe('the reply to the sender', () => {
  test.each([
    ['no sender', { 'x-envelope-from': null }, HANDED, '501 5.5.4'],
    ['no recipient', { 'x-envelope-to': null }, HANDED, '501 5.5.4'],
    ['an empty recipient', { 'x-envelope-to': '' }, HANDED, '501 5.5.4'],
    ['half an encoding', { 'x-envelope-from': 'a%C3@example.com' }, HANDED, '501 5.5.4'],
    ['a line break in a mailbox', { 'x-envelope-from': 'a%0Ab@example.com' }, HANDED, '501 5.5.4'],
    ['a sender without a domain', { 'x-envelope-from': 'bounce' }, HANDED, '501 5.5.4'],
    ['a sender of an impossible domain', { 'x-envelope-from': 'a@b..c' }, HANDED, '501 5.5.4'],
    [
      'a mailbox far too long',
      { 'x-envelope-from': `${'a'.repeat(2000)}@x.example` },
      HANDED,
      '501 5.5.4',
    ],
    ['an empty body', {}, '', '554 5.6.0'],
    ['no body at all', { 'content-type': null }, null, '554 5.6.0'],
  ] as [string, Record<string, string | null>, string | null, string][])(
    '400: %s',
    async (_, changes, body, reply) => {
      const environment = await inboundEnvironment();
      const answer = await environment.post(body, changes);
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', ...replyOf(reply) },
      });
      expect(environment.types()).toEqual(['TestCreated']);
    },
  );

  test.each([
    ['an id that nobody has', `zzzzzzzzzzzz@${MAIL_DOMAIN}`, '550 5.1.1'],
    ['no id', `somebody@${MAIL_DOMAIN}`, '550 5.1.1'],
    ['another domain', `${TEST_ID}@example.org`, '550 5.7.1'],
    ['the postmaster', `postmaster@${MAIL_DOMAIN}`, '551 5.1.6'],
  ])('404: %s', async (_, to, reply) => {
    const environment = await inboundEnvironment();
    const answer = await environment.post(HANDED, { 'x-envelope-to': to });
    expect(answer).toMatchObject({
      status: 404,
      body: { code: 'test_not_found', ...replyOf(reply) },
    });
  });

  test('409: a test that has received its email', async () => {
    const environment = await inboundEnvironment();
    await environment.post();
    const answer = await environment.post(HANDED.replace('hello', 'other'));
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'mail_not_awaited', ...replyOf('550 5.7.1') },
    });
  });

  test('409: a test that is closed', async () => {
    const environment = await inboundEnvironment();
    await environment.append(anEvent('WindowClosed', 3600));
    expect(await environment.post()).toMatchObject({ status: 409, body: replyOf('550 5.7.1') });
  });

  test.each([
    ['announced', 'x'.repeat(MIB)],
    ['far over the limit', 'x'.repeat(3 * MIB)],
  ])('413: an email too large, %s, and the connection stays open', async (_, body) => {
    const environment = await inboundEnvironment();
    const answer = await environment.post(HANDED + body);
    expect(answer).toMatchObject({
      status: 413,
      body: { code: 'body_too_large', ...replyOf('552 5.3.4') },
    });
    expect(await environment.post()).toMatchObject({ status: 200 });
  });

  test('413: an email too large that arrives in pieces', async () => {
    const environment = await inboundEnvironment();
    async function* pieces() {
      yield Buffer.from(HANDED);
      for (let i = 0; i < 12; i++) yield Buffer.alloc(64 * 1024, 'x\r\n');
    }
    const answer = await fetch(`${environment.baseUrl}/inbound/cloudflare`, {
      method: 'POST',
      headers: HEADERS,
      body: pieces() as never,
      duplex: 'half',
    } as RequestInit);
    expect(answer.status).toBe(413);
    expect(environment.types()).toEqual(['TestCreated']);
  });

  test('422: an email that the gate refuses, with the words of SMTP', async () => {
    const environment = await inboundEnvironment();
    environment.inspection.gate = async () => refused;
    const answer = await environment.post();
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'mail_refused', ...replyOf('554 5.7.1') },
    });
    expect(answer.body.smtp_reply).toContain('bl.example.org');
    expect(answer.body.smtp_reply.length).toBeLessThanOrEqual(500);
    expect(environment.types()).toEqual(['TestCreated', 'MailRefused']);
  });

  test('422: a header block over its limits', async () => {
    const environment = await inboundEnvironment();
    const answer = await environment.post(`${BLOCK}${'X-A: b\r\n'.repeat(1100)}${MAIL}`);
    expect(answer).toMatchObject({ status: 422, body: replyOf('554 5.6.0') });
  });
});

describe('responses after which the provider tries again', () => {
  test.each([
    ['none', null],
    ['another', 'Bearer of-another'],
    ['the right one and more', `Bearer ${TOKEN}x`],
    ['another scheme', `Basic ${TOKEN}`],
    ['an empty one', 'Bearer '],
  ])('401: the token is %s', async (_, authorization) => {
    const environment = await inboundEnvironment();
    const answer = await environment.post(HANDED, { authorization });
    expect(answer).toMatchObject({ status: 401, body: { code: 'wrong_inbound_token' } });
    expect(answer.body).not.toHaveProperty('smtp_reply');
    expect(answer.text).not.toContain(TOKEN);
    expect(environment.inspection.begun).toEqual([]);
  });

  test.each([['application/json'], ['text/plain'], ['application/octet-stream']])(
    '415: a body of type %s',
    async (type) => {
      const environment = await inboundEnvironment();
      const answer = await environment.post(HANDED, { 'content-type': type });
      expect(answer).toMatchObject({ status: 415, body: { code: 'not_a_mail' } });
      expect(answer.body).not.toHaveProperty('smtp_reply');
    },
  );

  test('429: too many requests, right or wrong', async () => {
    const environment = await inboundEnvironment({ rateLimits: { default: 2 } });
    await environment.post(HANDED, { authorization: 'Bearer guess' });
    await environment.post();
    const answer = await environment.post();
    expect(answer).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  });

  test.each([
    ['the log is away', async ({ tests }) => void tests.disconnect()],
    [
      'our resolver is down',
      async (environment) => {
        environment.inspection.gate = async () => ({ ...refused, resolverDown: true });
      },
    ],
    [
      'another copy is analysed',
      async (environment) => {
        await environment.append(anEvent('MailArrived', 60));
      },
    ],
  ] as [string, (environment: Awaited<ReturnType<typeof inboundEnvironment>>) => Promise<void>][])(
    '503: %s',
    async (_, arrange) => {
      const environment = await inboundEnvironment();
      await arrange(environment);
      const answer = await environment.post();
      expect(answer).toMatchObject({ status: 503, body: { code: 'mail_deferred' } });
      expect(answer.body).not.toHaveProperty('smtp_reply');
      expect(answer.headers.get('retry-after')).toBe('30');
    },
  );

  test('503: there is no room in memory', async () => {
    const environment = await inboundEnvironment({ environment: { mailMemoryBytes: 100 } });
    expect(await environment.post()).toMatchObject({
      status: 503,
      body: { code: 'mail_deferred' },
    });
  });
});

test('a provider that hangs up in the middle leaves nothing behind', async () => {
  const environment = await inboundEnvironment();
  const head = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`);
  const socket = connect(environment.port, '127.0.0.1');
  socket.write(
    [
      'POST /inbound/cloudflare HTTP/1.1',
      'Host: x',
      ...head,
      'Content-Length: 5000',
      '',
      HANDED,
    ].join('\r\n'),
  );
  await expect.poll(() => environment.mailBuffer.bytes()).toBeGreaterThan(0);
  socket.destroy();
  await expect.poll(() => environment.outcomes).toEqual(['broken_off']);
  expect(environment.mailBuffer.bytes()).toBe(0);
  expect(environment.types()).toEqual(['TestCreated']);
  expect(await environment.post()).toMatchObject({ status: 200 });
});

test('an email in pieces of any size is the same email', async () => {
  const environment = await inboundEnvironment();
  async function* bytes() {
    for (const byte of Buffer.from(HANDED)) yield Buffer.of(byte);
  }
  const answer = await fetch(`${environment.baseUrl}/inbound/cloudflare`, {
    method: 'POST',
    headers: HEADERS,
    body: bytes() as never,
    duplex: 'half',
  } as RequestInit);
  expect(answer.status).toBe(200);
  expect(environment.inspection.texts).toEqual([HANDED]);
  expect(environment.inspection.blocks).toMatchObject([{ bytes: BLOCK.length }]);
});

test('nothing of an email, its mailboxes or the token reaches a log, an event or a response', async () => {
  const environment = await inboundEnvironment();
  const mail = HANDED.replace('hello', 'canary-subject').replace('A body', 'canary-body');
  const answers = [
    await environment.post(mail, { 'x-envelope-from': 'canary-local@example.com' }),
    await environment.post(mail.replace('canary', 'canary-2')),
    await environment.post(mail, { 'x-envelope-from': 'canary-local' }),
    await environment.post(mail, { 'x-envelope-to': `canary-local@${MAIL_DOMAIN}` }),
    await environment.post(mail, { authorization: 'Bearer canary-token' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 409, 400, 404, 401]);
  const everything = JSON.stringify([
    answers.map(({ text }) => text),
    environment.tests.all(),
    environment.reports.all(),
    environment.lines,
    environment.api.lines,
  ]);
  expect(everything).not.toMatch(/canary/);
  expect(everything).not.toContain(TOKEN);
  expect(isTestId(answers[0]?.body.test_id)).toBe(true);
});

test('without a provider, the endpoint does not exist, and no description names it', async () => {
  const closed = await anApi();
  const answer = await closed.app.inject({ method: 'POST', url: '/inbound/cloudflare' });
  expect(answer.statusCode).toBe(404);

  const { baseUrl } = await inboundEnvironment();
  for (const path of ['/openapi.json', '/llms.txt', '/.well-known/api-catalog', '/sitemap.xml'])
    expect(await (await fetch(baseUrl + path)).text()).not.toMatch(/inbound\/|mail_deferred/);
});
