import { once } from 'node:events';
import type { SMTPServerDataStream } from 'smtp-server';
import { SMTPStream } from 'smtp-server/lib/smtp-stream.js';
import { expect, test } from 'vitest';
import { queueContent } from '../../../src/adapters/smtp/mail-content.ts';

/** A mail that is being received, and the parser that writes it. */
function newContent() {
  const parser = new SMTPStream({});
  queueContent(parser);
  return { parser, content: parser.startDataMode() as SMTPServerDataStream };
}

const read = async (content: AsyncIterable<Buffer>) => {
  const chunks: string[] = [];
  for await (const chunk of content) chunks.push(chunk.toString());
  return chunks;
};

test('the reader gets each chunk, also those that were there before it', async () => {
  const { content } = newContent();
  content.write(Buffer.from('a'));
  const reading = read(content);
  await new Promise(setImmediate);
  content.write(Buffer.from('b'));
  content.end(Buffer.from('c'));
  expect(await reading).toEqual(['a', 'b', 'c']);
  expect(content.readable).toBe(false);
});

test('a mail that breaks off is no whole mail', async () => {
  const { content } = newContent();
  const reading = read(content);
  content.write(Buffer.from('a'));
  content.destroy();
  await expect(reading).rejects.toThrow('broke off');
  expect(content.writable).toBe(false);
});

test('a writer that is ahead of the reader waits until it has read', async () => {
  const { content } = newContent();
  expect(content.write(Buffer.alloc(65_535))).toBe(true);
  expect(content.write(Buffer.alloc(1))).toBe(false);
  const drained = once(content, 'drain');
  const reading = read(content);
  await drained;
  content.end();
  expect(await reading).toHaveLength(2);
});

test('what is left when the reader stops is thrown away, and nobody waits for it', async () => {
  const { content } = newContent();
  content.write(Buffer.from('a'));
  const closed = once(content, 'close');
  for await (const _ of content) break;
  await closed;
  expect([content.destroyed, content.readable, content.writable]).toEqual([true, false, false]);
});

test('a mail that nobody reads comes to its end', async () => {
  const { content } = newContent();
  const ended = once(content, 'end');
  expect(content.readableFlowing).toBe(null);
  content.resume();
  content.write(Buffer.from('a'));
  content.end();
  await ended;
  expect(content.readableEnded).toBe(true);
});
