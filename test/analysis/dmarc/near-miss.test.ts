/** Tests which texts are recognized as failed attempts at a DMARC record. */

import { describe, expect, test } from 'vitest';
import { asIntended, resemblesDmarc, whyNoRecord } from '../../../src/analysis/dmarc/near-miss.ts';
import { cpuTime } from '../../support/process/cpu-time.ts';

const REJECT = 'v=DMARC1; p=reject';

describe('a text that is not a record', () => {
  test.each([
    ['"v=DMARC1; p=reject"', 'begins with a quotation mark, which is part of the text', REJECT],
    ['v=DMARC1, p=reject', 'has no semicolon after v=DMARC1', REJECT],
    ['v=DMARC1 p=reject', 'has no semicolon after v=DMARC1', REJECT],
    ['p=reject; v=DMARC1', 'does not begin with v=DMARC1', REJECT],
    ['p=reject', 'does not begin with v=DMARC1', REJECT],
    ['v=dmarc1; p=reject', 'has v=dmarc1 instead of v=DMARC1', REJECT],
    ['v=DMARC1.0; p=reject', 'does not begin with exactly v=DMARC1', REJECT],
    ['v=DMARC1\\; p=reject', 'does not begin with exactly v=DMARC1', REJECT],
    ['DMARC1; p=reject', 'does not begin with v=DMARC1', REJECT],
    [
      'v=DMARC1, p=reject, rua=mailto:a@x.example,mailto:b@x.example',
      'has no semicolon after v=DMARC1',
      `${REJECT}; rua=mailto:a@x.example,mailto:b@x.example`,
    ],
    [
      'v:DMARC1; p:none, rua:mailto:a@x.example',
      'does not begin with v=DMARC1',
      'v=DMARC1; p=none; rua=mailto:a@x.example',
    ],
  ])('%j is explained, and read as intended', (text, why, meant) => {
    expect(resemblesDmarc(text)).toBe(true);
    expect(whyNoRecord(text)).toBe(why);
    expect(asIntended(text)).toBe(meant);
  });

  test.each(['hello', 'v=spf1 -all', 'p=MIIB', 'google-site-verification=p'])(
    '%j was never meant as a record',
    (text) => {
      expect(resemblesDmarc(text)).toBe(false);
    },
  );

  test('of any length is read without delay', () => {
    for (const blank of [' ,', ' '])
      expect(cpuTime(() => asIntended(`v=DMARC1${blank.repeat(60_000)}x`)).ms).toBeLessThan(1000);
  });
});
