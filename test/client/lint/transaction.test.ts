/** Tests how the addresses of an email's transaction are read from the command line. */

import { expect, test } from 'vitest';
import { CommandError } from '../../../src/client/exit.ts';
import { toMailFile } from '../../../src/client/lint/read-mail-file.ts';
import { mailReader } from '../../../src/client/lint/transaction.ts';

const senderOf = (from: string) =>
  mailReader({ from })(toMailFile(new Uint8Array(Buffer.from('Subject: a\r\n\r\nb\r\n')))).from;

test.each([
  ['a@shop.example', 'a', 'shop.example'],
  ['<a@shop.example>', 'a', 'shop.example'],
  ["'a=b@shop.example'", 'a=b', 'shop.example'],
  ["o'neill@shop.example", "o'neill", 'shop.example'],
  ["'<>'", '', ''],
  ["''", '', ''],
])('--from %s is the address %s at %s', (from, localPart, domain) => {
  expect(senderOf(from)).toMatchObject({ localPart, domain });
});

test.each(['a', '<a>', 'a@b@'])('--from %s is no address', (from) => {
  expect(() => senderOf(from)).toThrow(CommandError);
});
