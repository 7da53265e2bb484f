/**
 * Tests that dots are removed from the lines of an email however it is split into chunks, and its end is
 * found.
 */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDotReader } from '../../../src/adapters/smtp/dot-reader.ts';

/** Reads a text in chunks that end at these places. Returns the content, and what follows its end. */
function readInChunks(text: string, cuts: readonly number[]) {
  const read = createDotReader();
  let content = '';
  for (const [at, cut] of [...cuts, text.length].entries()) {
    const from = cuts[at - 1] ?? 0;
    const chunk = Buffer.from(text.slice(from, cut), 'latin1');
    const { before, length, end } = read(chunk);
    content += (before?.toString('latin1') ?? '') + chunk.toString('latin1', 0, length);
    if (end !== null) return { content, rest: text.slice(from + end) };
  }
  return { content, rest: null };
}

/** The same in one step, by RFC 5321 §4.5.2. */
function readWhole(text: string) {
  const { 0: end = '', index = 0 } = /(?:^|(?<=\r\n))\.\r\n/.exec(text) ?? {};
  return {
    content: text.slice(0, index).replace(/(?<=^|\n)\.\./g, '.'),
    rest: text.slice(index + end.length),
  };
}

/** Pieces of hostile and of ordinary content. The long ones are longer than what is read byte by byte. */
const PIECES = [
  '.',
  '..',
  '\r\n',
  '\n',
  '\r',
  'a',
  '\r\n.',
  '\r\n..',
  '\n.',
  'x'.repeat(70),
  'y\r\n'.repeat(40),
];

const emails = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 40 })
  .map((pieces) => `${pieces.join('')}\r\n.\r\nQUIT\r\n`);

test('any email in any chunks is read as RFC 5321 says', () => {
  fc.assert(
    fc.property(emails, fc.array(fc.nat(3000), { maxLength: 30 }), (text, places) => {
      const cuts = places.map((place) => place % text.length).sort((a, b) => a - b);
      expect(readInChunks(text, cuts)).toEqual(readWhole(text));
    }),
    { numRuns: 3000, seed: 5321 },
  );
});

test.each([
  ['.\r\n', ''],
  ['..\r\n.\r\n', '.\r\n'],
  ['a\n.\r\nb\r\n.\r\n', 'a\n.\r\nb\r\n'],
  ['a\n..b\r\n.\r\n', 'a\n.b\r\n'],
  ['a\r\n.\rb\r\n.\r\n', 'a\r\n.\rb\r\n'],
  [
    `${'a'.repeat(200)}\r\n..\r\n${'b'.repeat(200)}\r\n.\r\n`,
    `${'a'.repeat(200)}\r\n.\r\n${'b'.repeat(200)}\r\n`,
  ],
])('%j is read as %j', (text, content) => {
  expect(readInChunks(`${text}QUIT`, [])).toEqual({ content, rest: 'QUIT' });
  const each = Array.from(text, (_, at) => at);
  expect(readInChunks(`${text}QUIT`, each).content).toBe(content);
});
