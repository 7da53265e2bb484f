/** Tests how DMARC tags that lack the semicolon between them are separated. */

import { expect, test } from 'vitest';
import { cleanRecord } from '../../../src/analysis/dmarc/correct.ts';
import { parseDmarc, tagsOf } from '../../../src/analysis/dmarc/parse.ts';

const A = 'rua=mailto:a@example.com';

test.each([
  [`v=DMARC1; p=none${A}`, `v=DMARC1; p=none; ${A}`, ['rua']],
  [`v=DMARC1; p=none ${A}`, `v=DMARC1; p=none; ${A}`, ['rua']],
  [
    `v=DMARC1; p=reject; ${A}ruf=mailto:b@example.com`,
    `v=DMARC1; p=reject; ${A}; ruf=mailto:b@example.com`,
    ['ruf'],
  ],
  [`v=DMARC1; p=reject; pct=50${A}`, `v=DMARC1; p=reject; pct=50; ${A}`, ['rua']],
  [`v=DMARC1; p=reject; fo=1:d${A}`, `v=DMARC1; p=reject; ${A}; fo=1:d`, ['rua']],
  // A tag that begins to count only after the correction must not make the policy stricter.
  [`v=DMARC1; p=reject; ${A}adkim=s`, `v=DMARC1; p=reject; ${A}`, ['adkim']],
  [`v=DMARC1; p=none; ${A}sp=reject`, `v=DMARC1; p=none; ${A}`, ['sp']],
  [`v=DMARC1; p=none; adkim=raspf=s; ${A}`, `v=DMARC1; p=none; ${A}`, ['aspf']],
  [
    `v=DMARC1; p=quarantinepct=5${A},mailto:b@example.comfo=1`,
    `v=DMARC1; p=quarantine; pct=5; ${A},mailto:b@example.com; fo=1`,
    ['pct', 'rua', 'fo'],
  ],
  [`v=DMARC1; p=quarantine; t=y ${A}`, `v=DMARC1; p=quarantine; ${A}`, ['rua']],
  // These records have other faults, but no semicolon is missing.
  [`v=DMARC1; p=none; ${A}?subject=p=x`, `v=DMARC1; p=none; ${A}?subject=p=x`, []],
  ['v=DMARC1; p=nonesense', 'v=DMARC1; p=none', []],
])('%s is read as %s', (text, record, behind) => {
  expect(cleanRecord(tagsOf(text))).toBe(record);
  const missing = parseDmarc(text).lint.flatMap(
    (fault) => /^a semicolon is missing before (.*)=$/.exec(fault)?.[1] ?? [],
  );
  expect(missing).toEqual(behind);
});

test('a text with endless joined tags is read in linear time', () => {
  const tags = tagsOf(`v=DMARC1; p=${'nonesp='.repeat(10_000)}`);
  expect(cleanRecord(tags)).toBe('v=DMARC1; p=none');
});
