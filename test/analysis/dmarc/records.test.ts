/**
 * Tests that each DMARC record is parsed only once per email, that its report addresses are
 * limited, and that a typing error loses none of them.
 */

import { expect, test } from 'vitest';
import { cleanRecord } from '../../../src/analysis/dmarc/correct.ts';
import { parseDmarc, tagsOf } from '../../../src/analysis/dmarc/parse.ts';
import { walkTree } from '../../../src/analysis/dmarc/tree-walk.ts';
import type { Answer } from '../../../src/analysis/dns-answer.ts';

/** Returns an answer that counts how often its records are read. */
function counted(text: string) {
  let reads = 0;
  const answer = {
    status: 'found' as const,
    get records() {
      reads += 1;
      return [[text]];
    },
  };
  return { answer, reads: () => reads };
}

test('the walks of all identifiers of an email read a DMARC record once', () => {
  const { answer, reads } = counted(`v=DMARC1; p=none; rua=${'x,'.repeat(30_000)}`);
  const absent = { status: 'nxdomain' as const };
  const names = Array.from({ length: 20 }, (_, n) => `d${n}.example.com`);
  const answers = new Map<string, Answer<readonly string[]>>([
    ['example.com', answer],
    ['com', absent],
    ...names.map((name) => [name, absent] as const),
  ]);
  for (const name of names)
    expect(walkTree(name, answers).discovered).toMatchObject({ value: { name: 'example.com' } });
  expect(reads()).toBe(1);
});

test.each(['rua', 'ruf'] as const)('a hundred addresses of %s= are read', (tag) => {
  const { rua, report } = parseDmarc(`v=DMARC1; p=none; ${tag}=${'x,'.repeat(30_000)}`);
  expect(tag === 'rua' ? rua : report.ruf).toHaveLength(100);
});

const A = 'mailto:a@one.example';
const B = 'mailto:b@two.example';

test.each([
  [`v=DMARC1; p:reject; rua:${A}`, `v=DMARC1; p=reject; rua=${A}`],
  [`v=DMARC1; p=reject rua=${A}`, `v=DMARC1; p=reject; rua=${A}`],
  [
    `v=DMARC1; p=reject; pct=20; rua=${A}ruf=${B}`,
    `v=DMARC1; p=reject; pct=20; rua=${A}; ruf=${B}`,
  ],
  [`v=DMARC1; p=reject; ura=${A}; fur=${B}`, `v=DMARC1; p=reject; rua=${A}; ruf=${B}`],
  [`v=DMARC1; p=reject; pct=50%; rua=${A}`, `v=DMARC1; p=reject; pct=50; rua=${A}`],
  ['v=DMARC1; p=none; rua=mailto://a@one.example', `v=DMARC1; p=none; rua=${A}`],
  [`v=DMARC1; p=none; rua=${A};${B}`, `v=DMARC1; p=none; rua=${A},${B}`],
  [`v=DMARC1; p=none; rua=${A}?subject=x`, `v=DMARC1; p=none; rua=${A}?subject=x`],
])('no address is lost because of a typing error: %s', (text, meant) => {
  expect(cleanRecord(tagsOf(text))).toBe(meant);
});

test.each([
  ['v=DMARC1; p=none; pct=50', 'v=DMARC1; p=none'],
  ['v=DMARC1; p=none; sp=none; pct=0', 'v=DMARC1; p=none; sp=none'],
  ['v=DMARC1; p=none; sp=quarantine; pct=50', 'v=DMARC1; p=none; sp=quarantine; pct=50'],
  ['v=DMARC1; p=reject; pct=100', 'v=DMARC1; p=reject'],
])('pct= stays only if it limits a policy: %s', (text, corrected) => {
  expect(cleanRecord(tagsOf(text))).toBe(corrected);
});
