/** Tests how domains, and other words, that are written in raw UTF-8 in header fields are found. */

import { expect, test } from 'vitest';
import { hasRawWords, readRawDomains } from '../../../src/analysis/headers/raw-domains.ts';
import { parseHeaderBlock } from '../../../src/analysis/syntax/header-block.ts';

const block = (header: string) => parseHeaderBlock(Buffer.from(`${header}\r\n\r\n`));

test.each([
  ['From: Shop <a@bücher.example>', [{ field: 'From', aLabel: 'xn--bcher-kva.example' }]],
  ['From: a@mail.bücher.example (Shop)', [{ field: 'From', aLabel: 'mail.xn--bcher-kva.example' }]],
  ['Reply-To: a@пример.example', [{ field: 'Reply-To', aLabel: 'xn--e1afmkfd.example' }]],
  [
    'DKIM-Signature: v=1; d=bücher.example; i=@news.bücher.example; s=s1',
    [
      { field: 'DKIM-Signature', aLabel: 'xn--bcher-kva.example' },
      { field: 'DKIM-Signature', aLabel: 'news.xn--bcher-kva.example' },
    ],
  ],
  ['From: Bücher <a@shop.example>', []],
  ['From: a@xn--bcher-kva.example', []],
  ['Subject: grüße@bücher.example', []],
])('%s contains the domains %j', (header, expected) => {
  expect(readRawDomains(block(header))).toEqual(expected);
});

test.each([
  ['From: Shop <a@bücher.example>', false],
  ['From: Bücher <a@bücher.example>', true],
  ['From: ä@bücher.example', true],
  ['DKIM-Signature: v=1; d=bücher.example', false],
  ['DKIM-Signature: v=1; d=example.com; x=ü', true],
  ['Subject: grüße', true],
  ['Subject: hello', false],
])('%s has raw words: %s', (header, expected) => {
  expect(block(header).fields.map(hasRawWords)).toEqual([expected]);
});
