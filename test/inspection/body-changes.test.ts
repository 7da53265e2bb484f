/** Tests how the change that broke a DKIM body hash is found. */

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { readMailHead } from '../../src/analysis/mail/scan-headers.ts';
import { withBodyChanges } from '../../src/inspection/body-changes.ts';
import type { SignatureVerdict } from '../../src/ports/reading.ts';

const hashOf = (text: string) => createHash('sha256').update(Buffer.from(text)).digest('base64');

const verdictOf = (signedBodyHash: string): SignatureVerdict => ({
  result: 'fail',
  reason: 'body_hash_mismatch',
  fault: null,
  bodyHash: 'mismatch',
  keyBits: 2048,
  unsignedTailBytes: 0,
  signedBodyHash,
});

interface Case {
  readonly signed: string;
  readonly arrived: string;
  readonly type?: string;
  readonly encoding?: string;
  readonly c?: string;
  readonly l?: number | null;
  readonly count?: number;
}

function changesOf({ signed, arrived, type, encoding, c, l = null, count = 1 }: Case) {
  const mail = Buffer.from(
    [
      'From: a@example.com',
      `Content-Type: ${type ?? 'text/plain; charset=utf-8'}`,
      `Content-Transfer-Encoding: ${encoding ?? '8bit'}`,
      '',
      arrived,
    ].join('\r\n'),
  );
  const header = { canonicalization: c ?? 'relaxed/relaxed', bodyLength: l } as never;
  const all = Array.from({ length: count });
  const { signatures } = withBodyChanges(
    {
      signatures: all.map(() => verdictOf(hashOf(signed))),
      arc: { status: 'unknown', error: '' },
      sealVerified: null,
      bodyLineTooLong: false,
    },
    mail,
    { head: readMailHead(mail), signatures: all.map(() => ({ header, evaluate: true })) },
  );
  return signatures.map(({ changed }) => changed ?? null);
}

const TEXT = 'Grüße aus Köln,\r\n\r\nbis morgen\r\n';
const QP = 'Gr=C3=BC=C3=9Fe aus=\r\n K=C3=B6ln,\r\n\r\nbis morgen\r\n';
const part = (encoding: string, body: string) =>
  `--b\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`;
const multipart = (encoding: string, body: string) =>
  `${part(encoding, body)}\r\n${part('7bit', 'two\r\n')}\r\n--b--\r\n`;
const MIXED = 'multipart/mixed; boundary=b';

test.each<[what: string, Case]>([
  ['quoted_printable', { signed: TEXT, arrived: QP, encoding: 'quoted-printable' }],
  [
    'base64',
    { signed: TEXT, arrived: `${Buffer.from(TEXT).toString('base64')}\r\n`, encoding: 'base64' },
  ],
  [
    'quoted_printable',
    { signed: multipart('8bit', TEXT), arrived: multipart('quoted-printable', QP), type: MIXED },
  ],
  ['part_added', { signed: TEXT, arrived: multipart('8bit', TEXT), type: MIXED }],
  ['from_line', { signed: 'a\r\nFrom b\r\n', arrived: 'a\r\n>From b\r\n' }],
  ['dots', { signed: 'a\r\n.b\r\n', arrived: 'a\r\n..b\r\n' }],
  [
    'long_lines',
    { signed: `${'a'.repeat(1500)}\r\n`, arrived: `${'a'.repeat(998)}\r\n ${'a'.repeat(502)}\r\n` },
  ],
  ['body_spaces', { signed: 'a\r\nb\r\n', arrived: 'a \t\r\nb\r\n', c: 'relaxed/simple' }],
  ['body_spaces', { signed: 'a\r\n-- \r\nb\r\n', arrived: 'a\r\n--\r\nb\r\n', c: 'simple' }],
])('the change %s after signing is undone (%#)', (what, one) => {
  expect(changesOf(one)).toEqual([{ what }]);
});

test.each([
  ['a\r\n', 'a\r\n--\r\nscanned\r\n', 'relaxed/relaxed', 2],
  ['a\r\n', 'a  \r\n\r\n\r\nscanned by\r\n\r\n', 'relaxed/relaxed', 3],
  ['a  b\r\n\r\nc\r\n', 'a  b\r\n\r\nc\r\nd', 'simple/simple', 1],
  ['a\r\n', `a\r\n${'x\r\n'.repeat(39)}`, 'relaxed/relaxed', 39],
])('lines below the signed body are counted (%#)', (signed, arrived, c, lines) => {
  expect(changesOf({ signed, arrived, c })).toEqual([{ what: 'text_added', lines }]);
});

test.each<Case>([
  { signed: 'a\r\n', arrived: 'b\r\n' },
  { signed: 'a\r\n', arrived: '' },
  { signed: 'a\r\n', arrived: `a\r\n${'x\r\n'.repeat(60)}` },
  { signed: 'a\r\n', arrived: 'a\r\nfooter\r\n', l: 3 },
  { signed: 'a\r\n', arrived: `a\r\n${'x'.repeat(300 * 1024)}\r\n` },
])('nothing is said where nothing is proved (%#)', (one) => {
  expect(changesOf(one)).toEqual([null]);
});

test('two signatures per email are tried', () => {
  const found = changesOf({ signed: 'a\r\n', arrived: 'a\r\nb\r\n', count: 5 });
  expect(found.filter((one) => one !== null)).toHaveLength(2);
});
