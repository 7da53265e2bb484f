/** Tests how the lines that a client of MCP writes to stdin are split into messages. */

import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { MessageLines } from '../../src/client/message-lines.ts';

const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' });
const line = (value: unknown) => JSON.stringify(value);

/** Writes chunks, and returns the ids of the messages and of the refusals. */
async function read(...chunks: (string | Uint8Array)[]) {
  const refused: unknown[] = [];
  const lines = new MessageLines((response) => {
    const { id, error } = response as { id: unknown; error: { code: number } };
    refused.push([id, error.code]);
  });
  for (const chunk of chunks) lines.write(chunk);
  lines.end();
  const messages = (await text(lines)).split('\n').filter(Boolean);
  return { ids: messages.map((one) => JSON.parse(one).id), refused };
}

test.each<[string, string, unknown[]]>([
  ['one message per line', `${line(ping(1))}\n${line(ping(2))}\n`, [1, 2]],
  ['a batch', `${line([ping(1), ping(2)])}\n${line(ping(3))}\n`, [1, 2, 3]],
  ['line ends of Windows', `${line(ping(1))}\r\n\r\n${line(ping(2))}\r\n`, [1, 2]],
  ['byte order marks', `\ufeff${line(ping(1))}\n\ufeff${line(ping(2))}\n`, [1, 2]],
  ['a last line that does not end', `${line(ping(1))}\n${line(ping(2))}`, [1, 2]],
  ['other line separators in a text', `${line(ping('\u2028'))}\n`, ['\u2028']],
  ['blank lines', `\n  \n${line(ping(1))}\n\n`, [1]],
])('%s', async (_, input, ids) => {
  expect(await read(input)).toEqual({ ids, refused: [] });
});

test('a character may arrive in two chunks', async () => {
  const bytes = new TextEncoder().encode(`${line(ping('ü'))}\n`);
  const at = bytes.indexOf(0xc3) + 1;
  expect((await read(bytes.subarray(0, at), bytes.subarray(at))).ids).toEqual(['ü']);
});

test.each<[string, string, unknown[]]>([
  ['a text', 'hello', [[null, -32_700]]],
  ['an unfinished message', '{"jsonrpc":"2.0","id":1', [[null, -32_700]]],
  ['an empty batch', '[]', [[null, -32_600]]],
  ['no message', 'null', [[null, -32_600]]],
  ['no version', '{"id":3,"method":"ping"}', [[3, -32_600]]],
  ['an id that MCP does not allow', line(ping(1.5)), [[null, -32_600]]],
  ['a list of parameters', line({ ...ping('a'), params: [] }), [['a', -32_600]]],
])('%s is refused with its id, and what follows is read', async (_, input, refused) => {
  expect(await read(`${input}\n${line(ping(9))}\n`)).toEqual({ ids: [9], refused });
});

test('the rest of a batch with something else in it is read', async () => {
  expect(await read(line([5, ping(1)]))).toEqual({ ids: [1], refused: [[null, -32_600]] });
});
