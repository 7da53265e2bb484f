import { expect, test } from 'vitest';
import { parseDmarc } from '../../../src/analysis/dmarc/parse.ts';
import { walkTree } from '../../../src/analysis/dmarc/tree-walk.ts';
import type { Answer } from '../../../src/analysis/dns-answer.ts';
import { evaluateSpf } from '../../../src/analysis/spf/evaluate.ts';
import { expandSpec, tailOf } from '../../../src/analysis/spf/macro.ts';

/** An answer that counts how often its records are taken. */
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

const sender = { ip: '192.0.2.25', helo: 'h.example', localPart: 'news', domain: 'example.com' };

test('a walk through a loop of SPF reads the record once, and a second walk not at all', () => {
  const { answer, reads } = counted(`v=spf1 ${'include:example.com '.repeat(400)}-all`);
  const answers = new Map([['TXT example.com', answer]]);
  expect(evaluateSpf('example.com', answers, sender).lookups).toBeGreaterThan(10);
  evaluateSpf('example.com', answers, sender);
  expect(reads()).toBe(1);
});

test('the walks of all identifiers of a mail read a DMARC record once', () => {
  const { answer, reads } = counted(`v=DMARC1; p=none; rua=${'x,'.repeat(30_000)}`);
  const absent = { status: 'nxdomain' as const };
  const names = Array.from({ length: 20 }, (_, n) => `d${n}.example.com`);
  const answers = new Map<string, Answer<readonly string[]>>([
    ['example.com', answer],
    ['com', absent],
    ...names.map((name) => [name, absent] as const),
  ]);
  for (const name of names) expect(walkTree(name, answers).found).toHaveLength(1);
  expect(reads()).toBe(1);
});

test.each(['rua', 'ruf'] as const)('of %s= a hundred addresses are read', (tag) => {
  const record = parseDmarc(`v=DMARC1; p=none; ${tag}=${'x,'.repeat(30_000)}`);
  expect(record[tag]).toHaveLength(100);
});

test.each([
  'x.'.repeat(300),
  `${'x'.repeat(300)}.a.example`,
  'x'.repeat(400),
  '%{ir}.'.repeat(300),
  '%{d}'.repeat(300),
  '%%'.repeat(300),
  `${'%%'.repeat(100)}.${'%{l1r-}'.repeat(200)}.example`,
  `%{d${'9'.repeat(400)}}.example`,
  `%{i${'0'.repeat(300)}1r${'.-'.repeat(300)}}.example`,
])('the tail of a long domain-spec makes the same name: %s', (spec) => {
  const tail = tailOf(spec);
  expect(tail.length).toBeLessThan(3000);
  const whole = expandSpec(spec, 'example.com', sender, '');
  const short = expandSpec(tail, 'example.com', sender, '');
  // What is too long is not a name, whatever stands before it.
  const ofName = (name: string | null) => (name !== null && name.length > 253 ? 'none' : name);
  expect(ofName(short)).toBe(ofName(whole));
});
