/** Tests how header fields are found that stand after the blank line by mistake. */

import { expect, test } from 'vitest';
import { fieldsBehind, parseHeaderBlock } from '../../../src/analysis/syntax/header-block.ts';

const behind = (...lines: string[]) => {
  const mail = Buffer.from([...lines, ''].join('\r\n'));
  return fieldsBehind(mail, parseHeaderBlock(mail));
};

test.each([
  [
    ['From: a@x.example', '', 'Subject: Hello', 'Date: now', '', 'Hello.'],
    ['Subject', 'Date'],
  ],
  [
    ['', 'From: a@x.example', 'Subject: Hello', '', 'Hello.'],
    ['From', 'Subject'],
  ],
  [
    ['From: a@x.example', '', 'X-Mailer: shop', 'MIME-Version: 1.0', '', 'Hello.'],
    ['MIME-Version'],
  ],
  [
    ['From: a@x.example', '', 'Content-Type: text/plain;', ' charset=utf-8', '', 'Hello.'],
    ['Content-Type'],
  ],
  // A text that quotes a header, or only resembles one.
  [
    ['From: a@x.example', 'Subject: Hello', '', 'Subject: Hello', 'From: b@y.example', '', 'Hi.'],
    [],
  ],
  [['From: a@x.example', '', 'Hello.', 'Date: tomorrow'], []],
  [['From: a@x.example', '', 'Note: the shop is closed.', 'See you.'], []],
  [['From: a@x.example', '', 'Note: closed', '', 'Subject: Hello'], []],
  [['From: a@x.example', '', ''], []],
] as const)('the header of %j is followed by %j', (lines, expected) => {
  expect(behind(...lines)).toEqual(expected);
});
