/** Tests how the header block is read that Cloudflare puts on top of an email. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findBlock } from '../../../../src/analysis/provider/cloudflare/find-block.ts';
import { readCloudflare } from '../../../../src/analysis/provider/cloudflare/read-block.ts';
import { headerLines, providerHeaders, RESULTS } from '../../../support/mail/provider.ts';
import { cpuTime } from '../../../support/process/cpu-time.ts';

const ENVELOPE = { from: 'bounce@example.com', to: 'abcdefghij23@in.example.net' };
const OWN = 'From: Shop <news@example.com>\r\nSubject: hello\r\n\r\nA body.\r\n';
const bytes = (text: string) => Buffer.from(text, 'latin1');

type Fields = Readonly<Record<string, string | null>>;

/** Returns what is read from the provider's headers above the sender's, with some of them changed. */
const read = (changes: Fields = {}, own = OWN, envelope = ENVELOPE) =>
  readCloudflare(bytes(headerLines({ ...providerHeaders(), ...changes }) + own), envelope);

const ALL = Object.keys(providerHeaders());
const { received } = providerHeaders();

test('the provider’s headers give the client, verdicts, score and the beginning of the sender’s email', () => {
  expect(read()).toEqual({
    name: 'cloudflare',
    bytes: headerLines({ ...providerHeaders() }).length,
    client: { ip: '192.0.2.25', helo: 'mail.example.com', source: 'received-spf' },
    report: {
      authserv_id: 'mx.cloudflare.net',
      spf: { result: 'pass', domain: 'example.com', helo_result: 'none' },
      dkim: [{ result: 'pass', domain: 'example.com', selector: 's1', b: 'abcd1234' }],
      dmarc: { result: 'pass', policy: 'reject' },
      arc: 'none',
      source: 'arc-authentication-results',
      spam_score: 1,
      block_headers: ALL,
    },
    sealed: true,
    partialErrors: [],
  });
});

test.each([
  ['its seal', { 'arc-seal': null }],
  ['its message signature', { 'arc-message-signature': null }],
  ['its sealed results', { 'arc-authentication-results': null }],
  ['a chain that holds', { 'arc-seal': 'i=2; s=a; d=cloudflare-email.net; cv=fail; b=AA' }],
] as [string, Fields][])('without %s the provider does not vouch for a chain', (_, changes) => {
  expect(read(changes)?.sealed).toBe(false);
});

describe('the beginning of the block', () => {
  test.each([
    ['no header at all', ''],
    ['the sender’s own first header', OWN],
    ['another header on top', `X-Mailer: one\r\n${headerLines({ ...providerHeaders() })}`],
    ['an empty line on top', `\r\n${headerLines({ ...providerHeaders() })}`],
    ['the block without its Received', headerLines({ ...providerHeaders(), received: null })],
    [
      'a Received of another host',
      headerLines({ received: received.replace('cloudflare-email.net', 'evil.example') }),
    ],
    [
      'a host that only begins so',
      headerLines({ received: received.replace('email.net', 'email.net.evil.example') }),
    ],
    [
      'a Received without the address',
      headerLines({ received: received.replace(' (192.0.2.25)', '') }),
    ],
    [
      'a Received with a number for an address',
      headerLines({ received: received.replace('192.0.2.25', '3221225996') }),
    ],
    ['a Received without recipient', headerLines({ received: received.replace(/for <.*>/, '') })],
    ['a Received without date', headerLines({ received: received.replace(/;.*/, '') })],
    [
      'a Received with words behind the date',
      headerLines({ received: `${received} (192.0.2.25) by x` }),
    ],
    [
      'a Received with a name of two words',
      headerLines({ received: received.replace('mail.', 'mail ') }),
    ],
  ])('%s: the block is missing', (_, text) => {
    expect(readCloudflare(bytes(text + OWN), ENVELOPE)).toBeNull();
  });

  test.each([
    [
      'by email.cloudflare.net (unknown)',
      received.replace('cloudflare-email.net (cloudflare)', 'email.cloudflare.net (unknown)'),
    ],
    ['by cloudflare-email.com', received.replace('email.net', 'email.com')],
    ['by cloudflare-email.org', received.replace('email.net', 'email.org')],
    ['on one line', received.replace(/\s+/g, ' ')],
    ['with tabs', received.replace(/\r\n {8}/g, '\r\n\t')],
    ['with a zone in words', `${received} (UTC)`],
  ])('a Received %s belongs to the provider', (_, value) => {
    expect(read({ received: value })?.client).toMatchObject({ ip: '192.0.2.25' });
  });
});

describe('the end of the block is', () => {
  const upTo = (last: string) => ALL.slice(0, ALL.indexOf(last) + 1);

  test.each([
    [
      'a seal of another domain',
      { 'arc-seal': 'i=1; s=a; d=evil.example; cv=none; b=AA' },
      'received',
    ],
    [
      'a seal of a longer name',
      { 'arc-seal': 'i=1; s=a; d=cloudflare-email.net.evil.example; b=A' },
      'received',
    ],
    [
      'a message signature of another set',
      { 'arc-message-signature': 'i=2; s=a; d=cloudflare-email.net; b=A' },
      'arc-seal',
    ],
    [
      'sealed results of another server',
      { 'arc-authentication-results': `i=1; mx.evil.example; ${RESULTS}` },
      'arc-message-signature',
    ],
    [
      'sealed results of another set',
      { 'arc-authentication-results': `i=2; mx.cloudflare.net; ${RESULTS}` },
      'arc-message-signature',
    ],
    [
      'an SPF line of another receiver',
      { 'received-spf': 'pass receiver=mx.evil.example; client-ip=198.51.100.9' },
      'arc-authentication-results',
    ],
    [
      'an SPF line with two receivers',
      { 'received-spf': 'pass receiver=mx.cloudflare.net; receiver=mx.cloudflare.net' },
      'arc-authentication-results',
    ],
    [
      'an SPF line whose receiver is in a comment',
      { 'received-spf': 'pass (receiver=mx.cloudflare.net) client-ip=198.51.100.9' },
      'arc-authentication-results',
    ],
    [
      'results of another server',
      { 'authentication-results': `mx.evil.example; ${RESULTS}` },
      'received-spf',
    ],
    [
      'a value far too long',
      { 'received-spf': `pass receiver=mx.cloudflare.net; ${'x'.repeat(9000)}` },
      'arc-authentication-results',
    ],
  ] as [string, Fields, string][])('before %s', (_, changes, last) => {
    const found = read(changes);
    expect(found?.report.block_headers).toEqual(upTo(last));
    const above = Object.fromEntries(
      upTo(last).map((name) => [name, (providerHeaders() as never)[name]]),
    );
    expect(found?.bytes).toBe(headerLines(above).length);
  });

  test('before a header that is out of order', () => {
    const { 'received-spf': spf, ...others } = providerHeaders();
    const text = headerLines({ ...others, 'received-spf': spf });
    expect(findBlock(bytes(text + OWN))?.names).toEqual(
      ALL.filter((one) => one !== 'received-spf'),
    );
  });

  test.each(ALL)('before a second %s, whatever it claims', (name) => {
    const again = headerLines({ [name]: (providerHeaders() as never)[name] });
    const whole = headerLines({ ...providerHeaders() });
    expect(read({}, again + OWN)?.bytes).toBe(whole.length);
  });

  test('before a second block', () => {
    const whole = headerLines({ ...providerHeaders() });
    const forged = headerLines({
      ...providerHeaders({ ip: '198.51.100.9', helo: 'evil.example' }),
    });
    expect(read({}, forged + OWN)).toMatchObject({
      bytes: whole.length,
      client: { ip: '192.0.2.25', helo: 'mail.example.com' },
    });
  });

  test('after a signature of the provider’s own, but not after the sender’s', () => {
    const theirs = 'DKIM-Signature: v=1; d=email.cloudflare.net; s=cf2024-1; b=AA\r\n';
    const senders = 'DKIM-Signature: v=1; d=example.com; s=s1; b=AA\r\n';
    expect(read({}, theirs + OWN)?.report.block_headers).toEqual([...ALL, 'dkim-signature']);
    expect(read({}, senders + OWN)?.report.block_headers).toEqual(ALL);
  });

  test('before a header that is not complete in the bytes', () => {
    const whole = headerLines({ ...providerHeaders() });
    for (let cut = 0; cut <= whole.length; cut++) {
      const found = findBlock(bytes(whole).subarray(0, cut));
      expect(found?.bytes ?? 0).toBeLessThan(Math.max(cut, 1));
    }
  });
});

describe('the sender of the email', () => {
  test.each([
    ['without Received-SPF', { 'received-spf': null }, '192.0.2.25', 'received'],
    [
      'with one that names no address',
      { 'received-spf': 'none receiver=mx.cloudflare.net; helo=mail.example.com' },
      '192.0.2.25',
      'received',
    ],
    [
      'with one that names two addresses',
      {
        'received-spf':
          'pass receiver=mx.cloudflare.net; client-ip=198.51.100.9; client-ip=192.0.2.25',
      },
      '192.0.2.25',
      'received',
    ],
    [
      'with an address in the comment',
      {
        'received-spf':
          'pass (client-ip=198.51.100.9) receiver=mx.cloudflare.net; client-ip=192.0.2.25',
      },
      '192.0.2.25',
      'received-spf',
    ],
  ] as [string, Fields, string, string][])('%s', (_, changes, ip, source) => {
    expect(read(changes)?.client).toEqual({ ip, helo: 'mail.example.com', source });
  });

  test.each([
    ['the address', 'client-ip=198.51.100.9; helo=mail.example.com'],
    ['the name', 'client-ip=192.0.2.25; helo=evil.example'],
  ])('is unknown if Received and Received-SPF disagree on %s', (_, keys) => {
    const found = read({ 'received-spf': `pass receiver=mx.cloudflare.net; ${keys}` });
    expect(found?.client).toEqual({ ip: null, helo: null, source: 'unknown' });
    expect(found?.partialErrors).toEqual([expect.stringMatching(/disagree/)]);
  });

  test.each([
    ['2001:db8::25', '2001:db8:0:0:0:0:0:25'],
    ['2001:DB8:0::25', '2001:db8::25'],
    ['::ffff:192.0.2.25', '192.0.2.25'],
  ])('is the same for IPv6 %s and %s', (inReceived, inSpf) => {
    const found = read({
      received: received.replace('192.0.2.25', inReceived),
      'received-spf': `pass receiver=mx.cloudflare.net; client-ip="${inSpf}"; helo=MAIL.example.com`,
    });
    expect(found?.client).toMatchObject({ source: 'received-spf', helo: 'mail.example.com' });
    expect(['2001:db8::25', '192.0.2.25']).toContain(found?.client.ip);
  });

  test('is not shown with a HELO that contains an address', () => {
    const found = read({
      received: received.replace('mail.example.com', 'me@x'),
      'received-spf': null,
    });
    expect(found?.client).toEqual({ ip: '192.0.2.25', helo: null, source: 'received' });
  });

  test('is reported to differ from the envelope, without its local part', () => {
    const found = read({}, OWN, { from: 'canary@other.example', to: 'canary@in.example.net' });
    expect(found?.partialErrors).toHaveLength(2);
    expect(JSON.stringify(found)).not.toMatch(/canary|bounce|abcdefghij23/);
  });

  test('does not differ by the case of letters where that means nothing', () => {
    const envelope = { from: 'bounce@EXAMPLE.com', to: 'ABCDEFGHIJ23@in.example.NET' };
    expect(read({}, OWN, envelope)?.partialErrors).toEqual([]);
    expect(read({}, OWN, { ...ENVELOPE, from: 'Bounce@example.com' })?.partialErrors).toHaveLength(
      1,
    );
  });

  test('may be null on both sides', () => {
    const spf = 'pass receiver=mx.cloudflare.net; client-ip=192.0.2.25; envelope-from="<>"';
    expect(read({ 'received-spf': spf }, OWN, { ...ENVELOPE, from: '' })?.partialErrors).toEqual(
      [],
    );
  });

  test('is compared by its meaning beyond ASCII', () => {
    const from = 'bücher@example.com';
    const stamped = Buffer.from(from, 'utf8').toString('latin1');
    const spf = `pass receiver=mx.cloudflare.net; client-ip=192.0.2.25; envelope-from="${stamped}"`;
    expect(read({ 'received-spf': spf }, OWN, { ...ENVELOPE, from })?.partialErrors).toEqual([]);
  });
});

describe('the verdicts', () => {
  const other = RESULTS.replace('dmarc=pass', 'dmarc=fail');

  test.each([
    [
      'from the plain header when there is no sealed one',
      { 'arc-authentication-results': null },
      'authentication-results',
    ],
    [
      'from the sealed one when there is no plain one',
      { 'authentication-results': null },
      'arc-authentication-results',
    ],
    [
      'from neither when they disagree',
      { 'authentication-results': `mx.cloudflare.net; ${other}` },
      'none',
    ],
    [
      'from neither when it is missing',
      { 'authentication-results': null, 'arc-authentication-results': null },
      'none',
    ],
  ] as [string, Fields, string][])('%s', (_, changes, source) => {
    const report = read(changes)?.report;
    expect(report?.source).toBe(source);
    expect(report?.dmarc).toEqual(
      source === 'none' ? undefined : { result: 'pass', policy: 'reject' },
    );
  });

  test('do not include a sender’s own results further down', () => {
    const forged = headerLines({ 'authentication-results': `mx.cloudflare.net; ${other}` });
    const text = headerLines({ ...providerHeaders() });
    expect(readCloudflare(bytes(text + forged + OWN), ENVELOPE)?.report.dmarc).toMatchObject({
      result: 'pass',
    });
  });

  test('are not changed, where sealed, by a sender’s own results that replace missing ones', () => {
    const report = read({
      'authentication-results': null,
      'x-cf-spamh-score': null,
      'Authentication-Results': `mx.cloudflare.net; ${other}`,
    })?.report;
    expect(report).toMatchObject({ source: 'none', spam_score: null });
    expect(report).not.toHaveProperty('dmarc');
  });

  test.each([
    [
      'dkim=none; spf=fail smtp.mailfrom=a@b.example',
      {
        dkim: [],
        dmarc: null,
        arc: null,
        spf: { result: 'fail', domain: 'b.example', helo_result: null },
      },
    ],
    [
      'spf=pass smtp.helo=mail.example.com',
      { spf: { result: 'pass', domain: 'mail.example.com', helo_result: 'pass' } },
    ],
    [
      'spf=pass smtp.mailfrom="a;b@c"@d.example',
      { spf: { result: 'pass', domain: 'd.example', helo_result: null } },
    ],
    [
      'spf=pass smtp.mailfrom="a;b@d.example"; dmarc=none',
      {
        spf: { result: 'pass', domain: 'd.example', helo_result: null },
        dmarc: { result: 'none', policy: null },
      },
    ],
    [
      'dkim=fail (bad; "sig) header.d=Example.COM header.s=S1 header.b="a/b+"',
      { dkim: [{ result: 'fail', domain: 'example.com', selector: 's1', b: 'a/b+' }] },
    ],
    [
      'dkim=pass header.d=<script> header.s=s1',
      { dkim: [{ result: 'pass', domain: null, selector: 's1', b: null }] },
    ],
    ['none', { spf: null, dkim: [], dmarc: null, arc: null }],
  ])('%s', (results, expected) => {
    const report = read({
      'arc-authentication-results': `i=1; mx.cloudflare.net; ${results}`,
      'authentication-results': null,
    })?.report;
    expect(report).toMatchObject(expected);
  });

  test.each([
    ['0', 0],
    ['-1.5', -1.5],
    ['ham', null],
    ['1e9', null],
    ['', null],
    [null, null],
  ])('the score %s is %s', (value, score) => {
    expect(read({ 'x-cf-spamh-score': value })?.report.spam_score).toBe(score);
  });
});

describe('any input', () => {
  const piece = fc.constantFrom(
    ...ALL.map((name) => headerLines({ [name]: (providerHeaders() as never)[name] })),
    'From: x@example.com\r\n',
    '\r\n',
    ' continued\r\n',
    '"\\\\"',
    '(((',
  );
  const head = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc
      .array(fc.oneof(piece, fc.string({ maxLength: 20 })), { maxLength: 12 })
      .map((all) => all.join('')),
  );

  test('throws nothing, and the block is a beginning of the bytes', () => {
    fc.assert(
      fc.property(head, fc.string(), fc.string(), (text, from, to) => {
        const found = readCloudflare(bytes(text), { from, to });
        if (found) expect(found.bytes).toBeLessThan(text.length);
      }),
    );
  });

  test('after the block never changes the result', () => {
    const own = fc.string({ unit: 'binary' }).map((text) => `Subject: ${text}\r\n\r\n`);
    fc.assert(
      fc.property(own, (text) => {
        expect(read({}, text)).toEqual(read());
      }),
    );
  });

  test.each([
    ['quotes', 'a="\\'],
    ['letters', 'a'],
    ['brackets', '('],
    ['properties', 'a.'],
  ])('with a long value of %s is read without delay', (_, unit) => {
    const value = unit.repeat(8000 / unit.length);
    const { ms } = cpuTime(() => {
      read({ 'received-spf': `pass receiver=mx.cloudflare.net; ${value}` });
      read({ 'authentication-results': `mx.cloudflare.net; ${value}` });
      read({ received: `from ${value} (` });
    });
    expect(ms).toBeLessThan(2000);
  });
});
