/** Tests that the content of an email is read exactly, and its chunks are overwritten and freed. */

import fc from 'fast-check';
import { SMTPStream } from 'smtp-server/lib/smtp-stream.js';
import { expect, test } from 'vitest';
import { createChunkTurns, readInTurn } from '../../../src/adapters/smtp/chunk-turns.ts';
import { requireRate } from '../../../src/adapters/smtp/minimum-rate.ts';

const RATE = { minBytesPerSecond: 0, windowMs: 60_000, transactionMs: 60_000 };
const reader = { onChunk: () => {}, onWhole: () => {}, onSlow: () => {}, cut: () => {} };

/** Returns what arrives of an email that comes in these chunks, and the commands after it. */
async function receive(chunks: readonly Buffer[], isFreed = true) {
  const parser = new SMTPStream({});
  const commands: string[] = [];
  parser.oncommand = (command: Buffer, next?: () => void) => {
    commands.push(command.toString('latin1'));
    next?.();
  };
  if (isFreed) readInTurn(parser, createChunkTurns());
  const content = parser.startDataMode(Number.MAX_SAFE_INTEGER);
  const read = async () => {
    const copies: Buffer[] = [];
    for await (const chunk of isFreed ? requireRate(content, RATE, reader) : content)
      copies.push(Buffer.from(chunk));
    parser.continue();
    return Buffer.concat(copies);
  };
  const reading = read();
  for (const chunk of chunks)
    await new Promise<void>((resolve) => parser.write(chunk, () => resolve()));
  return { arrived: await reading, commands };
}

/** Splits bytes into chunks, each in memory of its own, as from a socket. */
function split(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let from = 0, n = 0; from < bytes.length; n++) {
    const to = Math.min(bytes.length, from + (sizes[n % sizes.length] ?? 1));
    const chunk = Buffer.from(new ArrayBuffer(to - from));
    bytes.copy(chunk, 0, from, to);
    chunks.push(chunk);
    from = to;
  }
  return chunks;
}

const line = fc.oneof(
  fc.constantFrom('', '.', '..', '.a', 'a.', '\n.', '.\r', `a${'b'.repeat(9000)}`),
  fc.string({ unit: fc.constantFrom('a', '.', 'b', '\n.'), maxLength: 80 }),
);
/** Sizes around what is read at once, what is pooled, and the length of an upload's chunk. */
const size = fc.oneof(
  fc.integer({ min: 4090, max: 4110 }),
  fc.integer({ min: 8190, max: 8200 }),
  fc.constantFrom(1, 3, 20_000, 65_536),
);

test('an email arrives as it was written, and so does the command after it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 40 }),
      fc.array(size, { minLength: 1, maxLength: 5 }),
      fc.nat(3),
      async (lines, sizes, copies) => {
        const text = `${lines.join('\r\n').repeat(copies + 1)}\r\n`;
        const sent = text.replace(/(^|\n)\./g, '$1..');
        const whole = Buffer.from(`${sent}.\r\nRSET\r\n`, 'latin1');
        const { arrived, commands } = await receive(split(whole, sizes));
        expect(arrived.toString('latin1')).toBe(text);
        expect(commands).toEqual(['RSET']);
      },
    ),
    { numRuns: 150 },
  );
});

/** Sequences that no client that follows RFC 5321 sends. */
const hostile = fc.array(fc.constantFrom('\r', '\n', '.', 'a', '\r\n', '\r\n.', '.\r\n'), {
  minLength: 1,
  maxLength: 40,
});

test('an email ends only where the library alone lets it end', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, fc.array(fc.integer({ min: 1, max: 9 })), async (parts, sizes) => {
      // The library does not see a dot after an LF at the very beginning.
      const whole = Buffer.from(`a${parts.join('')}\r\n.\r\nNOOP\r\n`);
      const { arrived, commands } = await receive(split(whole, sizes));
      const expected = await receive(split(whole, sizes), false);
      expect(arrived.toString()).toBe(expected.arrived.toString());
      expect(commands).toEqual(expected.commands);
    }),
    { numRuns: 500 },
  );
});

test('lines that begin with a dot are read in one pass, without giving up the turn at each', async () => {
  const text = '.\r\n'.repeat(20_000);
  const whole = Buffer.from(`${text.replaceAll('.', '..')}.\r\nRSET\r\n`);
  let turns = 0;
  const count = () => {
    turns += 1;
    ticking = setImmediate(count);
  };
  let ticking = setImmediate(count);
  const { arrived } = await receive(split(whole, [65_536]));
  clearImmediate(ticking);
  expect(arrived.toString()).toBe(text);
  expect(turns).toBeLessThan(100);
});

test('the chunks of an email that nobody reads to its end are overwritten', async () => {
  const parser = new SMTPStream({});
  readInTurn(parser, createChunkTurns());
  const content = parser.startDataMode();
  // The memory is shared, so it is overwritten and not freed.
  const sent = Buffer.alloc(6000, 'secret words');
  for (let from = 0; from < sent.length; from += 2000)
    parser.write(sent.subarray(from, from + 2000));
  for await (const chunk of requireRate(content, RATE, reader)) {
    expect(chunk).toHaveLength(2000);
    break;
  }
  await new Promise(setImmediate);
  expect(sent.every((byte) => byte === 0)).toBe(true);
});

test('the chunks of an upload are freed once they are read', async () => {
  const content = Buffer.alloc(40 * 65_536, 'QUJD\r\n');
  const chunks = split(Buffer.concat([content, Buffer.from('\r\n.\r\n')]), [65_536]);
  const { arrived } = await receive(chunks);
  expect(arrived).toHaveLength(content.length + 2);
  const kept = chunks.map(({ buffer }) => buffer.byteLength);
  expect(kept).toEqual(Array(41).fill(0));
});
