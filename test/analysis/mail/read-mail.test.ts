/** Tests the reading of complete emails, including random bytes. */

import { readFileSync } from 'node:fs';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { TypeCompiler } from '@sinclair/typebox/compiler';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { known } from '../../../src/analysis/lookup-result.ts';
import type { MailReading } from '../../../src/analysis/mail/read-mail.ts';
import { toMessage } from '../../../src/analysis/report-objects.ts';
import { Links } from '../../../src/domain/report/links.ts';
import { Attachment, Content, Message } from '../../../src/domain/report/message.ts';
import { facts } from '../../support/mail/facts.ts';
import { htmlMail, mail, multipart, part, read } from './mails.ts';

const checked = <S extends TSchema>(schema: S) => {
  const checker = TypeCompiler.Compile(schema);
  return (value: unknown): value is Static<S> => checker.Check(value);
};

const isMessage = checked(Message);
const isAttachments = checked(Type.Array(Attachment, { maxItems: 100 }));
const isContent = checked(Content);
const isLinks = checked(Links);

/** Returns all keys without their values: the shape that every reading has. */
const shapeOf = (value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]))
    : '·';

const full = shapeOf(read(mail()));

const fits = (reading: MailReading) => {
  const { content, attachments } = reading.content;
  const [headers, body] = [known(reading.headers), known(reading.content)];
  expect(isMessage(toMessage({ ...facts(), headers, content: body }))).toBe(true);
  expect(isContent(content)).toBe(true);
  expect(isAttachments(attachments)).toBe(true);
  const unchecked = { status: 'not_checked', provider: null, checked_at: null };
  expect(isLinks({ ...unchecked, ...reading.links.report })).toBe(true);
  expect(shapeOf(reading)).toEqual(full);
};

const samples = [
  mail(),
  htmlMail(
    '<p style="display:none">a</p><a href="https://example.com/x">www.example.org</a><img src="cid:a">',
  ),
  multipart('alternative', [
    part('text/plain; charset=utf-8', 'Hello {{name}}'),
    part(
      'text/html; charset=utf-8',
      '<html><body>Hello</body></html>',
      'Content-Transfer-Encoding: quoted-printable',
    ),
  ]),
  multipart('mixed', [
    part('text/plain', 'x'),
    part('application/zip; name="a.zip"', 'UEsDBA==', 'Content-Transfer-Encoding: base64'),
  ]),
];

const bytes = fc.uint8Array({ maxLength: 600 });

/** A sample with pieces removed, repeated or overwritten. */
const mutated = fc
  .record({
    sample: fc.constantFrom(...samples),
    edits: fc.array(
      fc.record({
        at: fc.nat(),
        cut: fc.nat({ max: 40 }),
        insert: fc.uint8Array({ maxLength: 20 }),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ sample, edits }) =>
    edits.reduce((mail: Buffer, { at, cut, insert }) => {
      const place = at % (mail.length + 1);
      return Buffer.concat([mail.subarray(0, place), insert, mail.subarray(place + cut)]);
    }, sample),
  );

/** Pieces that parsers stumble over, in any order. */
const pieces = fc
  .array(
    fc.constantFrom(
      '\r\n',
      '\n',
      '\r',
      '\r\n\r\n',
      ': ',
      '--b1',
      '--b1--',
      '=?',
      '?=',
      '?q?',
      '"',
      '<',
      '>',
      '(',
      ')',
      'Content-Type: multipart/mixed; boundary=b1',
      'Content-Type: text/html; charset=utf-16',
      'From: ',
      'To: ',
      'a@b.example',
      ',',
      ';',
      '__proto__',
      '<a href="',
      'https://',
      '<div style="',
      'display:none',
      '</',
      '<!--',
      '<script>',
      '&#0;',
      '{{',
      '}}',
      '=3D',
      '=\r\n',
      'Date: ',
      '\0',
      '\xff',
      'List-Unsubscribe: ',
      'Message-ID: ',
      'DKIM-Signature: d=',
      'Content-Transfer-Encoding: base64',
    ),
    { maxLength: 60 },
  )
  .map((all) => Buffer.from(all.join(''), 'latin1'));

test('the facts always have their full shape, whatever the bytes are', () => {
  fc.assert(
    fc.property(fc.oneof(bytes, mutated, pieces), (input) => {
      fits(read(input));
    }),
    { numRuns: 400 },
  );
});

test('the same email always gives the same facts', () => {
  fc.assert(
    fc.property(mutated, (input) => {
      expect(read(input)).toEqual(read(Buffer.from(input)));
    }),
    { numRuns: 50 },
  );
});

const fixture = (name: string) =>
  read(readFileSync(new URL(`../../fixtures/mails/${name}.eml`, import.meta.url)));

test('a newsletter as it should be', () => {
  const { headerFrom, headers, content, links } = fixture('newsletter');
  expect(headerFrom).toMatchObject({ domain: 'news.example.com', fault: null });
  expect(headers).toMatchObject({
    // Only what receivers require of bulk mail shows that the email goes to many.
    bulk: { isBulk: false, mayBe: true, hasListId: true },
    listUnsubscribe: { faults: [], https: true, mailto: true, post: true },
    eightBit: { raw: false, brokenEncodedWords: false },
    lines: { bareNewlines: false },
  });
  expect(content).toMatchObject({
    textAlternative: 'both',
    textState: 'ok',
    structureFaults: [],
    charsetFaults: [],
    preheader: true,
    cidMissing: 0,
    htmlFaults: { fail: [], lint: [] },
    active: { hard: [], soft: [] },
    content: { hidden_runs: 0, images: 2, images_without_alt: 0, unsubscribe_link_found: true },
  });
  expect(links).toMatchObject({ mismatches: [], malformed: [], underFromDomain: true });
});

test('an email from a careless script', () => {
  const { headers, content, links } = fixture('careless');
  expect(headers).toMatchObject({
    from: { displayName: { present: false }, noReply: false },
    eightBit: { raw: true },
    date: { state: 'missing' },
    messageId: { domainOdd: true },
    subject: { allCapitals: true, exclamations: 3 },
    leaks: ['X-PHP-Originating-Script'],
    lines: { bareNewlines: true },
  });
  expect(content).toMatchObject({
    textAlternative: 'html_only',
    charsetFaults: [{ id: 'missing_charset', type: 'text/html', charset: null }],
    pixelHosts: ['t.example.org'],
    htmlFaults: { fail: ['unclosed', 'no_html', 'no_body'] },
    active: { hard: ['script'] },
    content: { placeholders: 1, tracking_pixels: 1 },
  });
  expect(content.structureFaults).toEqual([
    { severity: 'warn', id: 'undeclared_8bit' },
    { severity: 'warn', id: 'missing_mime_version' },
  ]);
  expect(links).toMatchObject({
    shorteners: ['bit.ly'],
    ipHosts: ['192.0.2.7'],
    httpHosts: ['192.0.2.7', 't.example.org'],
    mismatches: [{ shown_domain: 'www.bank.example.com', target_domain: 'bit.ly' }],
    malformed: [{ shape: 'empty', count: 1 }],
  });
});
