/** Tests that concurrent uploads take turns in the event loop. */

import { SMTPStream } from 'smtp-server/lib/smtp-stream.js';
import { expect, test } from 'vitest';
import { createChunkTurns } from '../../../src/adapters/smtp/chunk-turns.ts';
import { readData } from '../../../src/adapters/smtp/read-data.ts';

test('uploads are read in turn, four chunks per round of the event loop', async () => {
  const turn = createChunkTurns();
  const read: string[] = [];
  const upload = async (name: string) => {
    for (let i = 0; i < 3; i++) {
      await new Promise<void>(turn);
      read.push(name);
    }
  };
  const names = Array.from({ length: 10 }, (_, i) => `u${i}`);
  const all = Promise.all(names.map(upload));
  await new Promise(setImmediate);
  await Promise.resolve();
  expect(read).toEqual(names.slice(0, 4));
  await all;
  expect(read.slice(0, 10)).toEqual(names);
  expect(read).toHaveLength(30);
});

/** Creates an email that is being received. */
function newContent() {
  const parser = new SMTPStream({});
  readData(parser);
  return parser.startDataMode();
}

test('the reader gets each chunk in its place, including those that have waited', async () => {
  const content = newContent();
  const sent = ['a', 'b', 'c'].map((text) => Buffer.from(text));
  for (const chunk of sent) content.write(chunk);
  content.end();
  const read: Buffer[] = [];
  for await (const chunk of content) read.push(chunk as Buffer);
  expect(read).toHaveLength(3);
  for (const [n, chunk] of read.entries()) {
    chunk.fill(0);
    expect(sent[n]).toEqual(Buffer.alloc(1));
  }
});

test('an email that breaks off does not count as complete', async () => {
  const content = newContent();
  content.write(Buffer.from('a'));
  setImmediate(() => content.destroy());
  const read = async () => {
    for await (const _ of content);
  };
  await expect(read()).rejects.toThrow();
});

test('a writer that is ahead of the reader waits until the reader has caught up', async () => {
  const content = newContent();
  while (content.write(Buffer.alloc(16_384)));
  expect(content.writableLength).toBeLessThanOrEqual(81_920);
});
