/** Tests the limits on size and lines that an email must keep before it is parsed. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  MAX_BODY_LINE_BYTES,
  MAX_FIELD_BYTES,
  MAX_HEADER_BLOCK_BYTES,
  MAX_HEADER_FIELDS,
  MAX_HEADER_LINES,
} from '../../../src/analysis/limits.ts';
import { createInputGuard } from '../../../src/analysis/mail/input-guard.ts';

const watch = (...chunks: readonly (string | Uint8Array)[]) => {
  const guard = createInputGuard();
  for (const chunk of chunks)
    guard.push(typeof chunk === 'string' ? Buffer.from(chunk, 'latin1') : chunk);
  return guard.result();
};

const fields = (n: number) => Array.from({ length: n }, (_, i) => `X-${i}: y\r\n`).join('');

/** Returns a field of exactly this many bytes, including its line end. */
const fieldOf = (bytes: number) => `X: ${'a'.repeat(bytes - 5)}\r\n`;

/** Returns fields of 1,024 bytes each, so that no other limit is reached. */
const blockOf = (kib: number) => fieldOf(1024).repeat(kib);

test('an ordinary email passes, and its measures are reported', () => {
  expect(watch('From: a@b.c\r\nTo: d@e.f\r\n\r\nHello\r\nyou there\r\n')).toEqual({
    longestHeaderLineBytes: 11,
    longestBodyLineBytes: 9,
    bodyOffset: 26,
    bareNewlines: false,
    nul: false,
    headerFault: null,
    bodyLineTooLong: false,
  });
});

test.each([
  ['1,000 fields', fields(MAX_HEADER_FIELDS), null],
  ['1,001 fields', fields(MAX_HEADER_FIELDS + 1), 'too_many_fields'],
  ['5,000 lines', `A: b\r\n${' c\r\n'.repeat(MAX_HEADER_LINES - 1)}`, null],
  ['5,001 lines', `A: b\r\n${' c\r\n'.repeat(MAX_HEADER_LINES)}`, 'too_many_lines'],
  ['a field of 64 KiB', fieldOf(MAX_FIELD_BYTES), null],
  ['a field one byte longer', fieldOf(MAX_FIELD_BYTES + 1), 'field_too_large'],
  [
    'a folded field longer than 64 KiB',
    `X: a\r\n${` ${'b'.repeat(70)}\r\n`.repeat(1000)}`,
    'field_too_large',
  ],
  ['a block of 256 KiB', blockOf(MAX_HEADER_BLOCK_BYTES / 1024), null],
  [
    'a block one byte longer',
    `${blockOf(MAX_HEADER_BLOCK_BYTES / 1024)}X`,
    'header_block_too_large',
  ],
])('%s', (_, header, fault) => {
  expect(watch(header).headerFault).toBe(fault);
});

test('the body does not count as header', () => {
  expect(watch(`A: b\r\n\r\n${'x: y\r\n'.repeat(100_000)}`).headerFault).toBeNull();
});

test.each([
  ['exactly the limit', MAX_BODY_LINE_BYTES, false],
  ['one byte more', MAX_BODY_LINE_BYTES + 1, true],
])('a body line of %s', (_, length, tooLong) => {
  const seen = watch('A: b\r\n\r\n', 'x'.repeat(length), '\r\n');
  expect(seen).toMatchObject({ longestBodyLineBytes: length, bodyLineTooLong: tooLong });
});

test.each([
  ['CRLF only', 'A: b\r\n\r\nc\r\n', false],
  ['a bare LF', 'A: b\r\n\r\nc\nd\r\n', true],
  ['a bare CR', 'A: b\r\n\r\nc\rd\r\n', true],
  ['two CR before the LF', 'A: b\r\n\r\nc\r\r\n', true],
  ['a CR as the last byte', 'A: b\r\n\r\nc\r', true],
  ['a bare LF in the header', 'A: b\nC: d\r\n\r\n', true],
])('%s', (_, text, bareNewlines) => {
  expect(watch(text).bareNewlines).toBe(bareNewlines);
});

test('NUL is found in any place', () => {
  expect(watch('A: b\r\n\r\nc\0d').nul).toBe(true);
  expect(watch('A: \0\r\n\r\n').nul).toBe(true);
});

test('an email without a blank line has no body', () => {
  expect(watch('A: b\r\nC: d\r\n').bodyOffset).toBeNull();
});

test('the result does not depend on how the bytes are divided', () => {
  const letters = fc.constantFrom('\r', '\n', '\0', ' ', ':', 'a', '\r\n', '\r\n\r\n', 'X: y\r\n');
  fc.assert(
    fc.property(fc.array(fc.array(letters)), (chunks) => {
      const texts = chunks.map((chunk) => chunk.join(''));
      expect(watch(...texts)).toEqual(watch(texts.join('')));
    }),
  );
});
