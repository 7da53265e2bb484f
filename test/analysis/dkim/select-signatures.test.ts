/** Tests which of an email's many DKIM signatures are evaluated. */

import { expect, test } from 'vitest';
import { dkimSignatureHeaders, selectSignatures } from '../../../src/analysis/dkim/parse.ts';
import { parseHeaderBlock } from '../../../src/analysis/syntax/header-block.ts';

const signatures = (...tags: readonly string[]) =>
  dkimSignatureHeaders(
    parseHeaderBlock(
      Buffer.from(`${tags.map((tag) => `DKIM-Signature: v=1; s=s; ${tag}\r\n`).join('')}\r\n`),
    ),
  );

const chosen = (from: string | null, ...tags: readonly string[]) =>
  selectSignatures(signatures(...tags), from)
    .filter(({ evaluate }) => evaluate)
    .map(({ header }) => header.index);

const foreign = Array.from({ length: 12 }, (_, i) => `d=d${i}.example.net`);

test('ten signatures are evaluated, from the top', () => {
  expect(chosen('example.com', ...foreign)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(chosen(null, ...foreign)).toHaveLength(10);
});

test('those of the From domain’s organization come first', () => {
  const all = [...foreign, 'd=mail.example.com', 'd=example.com'];
  expect(chosen('news.example.com', ...all)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 12, 13]);
});

test('two different l= values are hashed, and equal ones cost nothing more', () => {
  const lengths = ['1', '2', '3', '1'].map((length) => `d=example.com; l=${length}`);
  expect(chosen('example.com', ...lengths, 'd=example.com')).toEqual([0, 1, 3, 4]);
});
