/** Tests that every reply of the SMTP library is replaced by one of our own. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { toOwnReply } from '../../../src/adapters/smtp/own-words.ts';

const LIMITS = { maxMessageBytes: 1000, maxCommandLength: 200 };

const source = readFileSync(
  fileURLToPath(import.meta.resolve('smtp-server/lib/smtp-connection.js')),
  'utf8',
);

/**
 * Matches sentences that are never sent: those of commands that are off, of LMTP and of the greeting, and
 * those that one of our handlers or the parser words.
 */
const UNREACHABLE =
  /wizard|mortals|Mom$|shell|authenti|identity|Must issue|^OK: message|ESMTP|^Error: x$/i;

/** Every sentence that the library may send, with an `x` for what it inserts. */
const sentences = [
  ...source.matchAll(/this\.send\((?:\d{3}|\w+\.code), (.+?)(?:, (?:'\w*'|false|\w+Name))?\);/g),
  ...source.matchAll(/(?:message|error): ('.+?)[,}\n]/g),
  ...source.matchAll(/\berror = ('.+?);/g),
]
  .map(([, text = '']) =>
    text
      .replace(/\(.*? \? '.*?' : '(.*?)'\)/g, "'$1'")
      .split(/ \+ /)
      .map((part) => (part.startsWith("'") ? part.trim().slice(1, -1) : 'x'))
      .join(''),
  )
  .filter((text) => /[A-Za-z]{2}/.test(text) && !UNREACHABLE.test(text));

test('the sentences of the library are found', () => {
  expect(sentences.length).toBeGreaterThan(35);
  expect(sentences).toContain('Error: nested MAIL command');
});

test.each([...new Set(sentences)])('for %j there is a reply of our own', (text) => {
  const { code, text: own } = toOwnReply(text, LIMITS) ?? { code: 0, text: '' };
  expect(`${code} ${own}`).toMatch(
    /^(?:354 |[245]\d\d [245]\.\d{1,3}\.\d{1,3} )[A-Z][\x20-\x7e]+\.$/,
  );
  if (code !== 354) expect(own[0]).toBe(String(code)[0]);
  expect(own).not.toMatch(/[{}]/);
});

test.each<[string, string | false | undefined, string]>([
  ['Accepted', 'MAIL_FROM_OK', '250 2.1.0 The sender is accepted.'],
  ['Accepted', 'RCPT_TO_OK', '250 2.1.5 The recipient is accepted.'],
  [
    'Error: message exceeds fixed maximum message size 9',
    'MESSAGE_TOO_BIG',
    '552 5.3.4 Your email is larger than the limit of 1000 bytes. Send a smaller one to the same address.',
  ],
  [
    'Error: Command line too long',
    undefined,
    '421 4.5.2 Your command is longer than the limit of 200 bytes. Connect again, and send shorter commands.',
  ],
])('%j, %j: %s', (text, context, expected) => {
  const reply = toOwnReply(text, LIMITS, context);
  expect(`${reply?.code} ${reply?.text}`).toBe(expected);
});

test.each(['5.7.1 This server accepts mail only for a.example.', 'mx.example.net ESMTP'])(
  '%j is sent unchanged',
  (text) => expect(toOwnReply(text, LIMITS)).toBeUndefined(),
);
