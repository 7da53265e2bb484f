/**
 * Tests that an SPF record is parsed once, long ones without delay, and which of its terms lead
 * nowhere or are read last.
 */

import { expect, test } from 'vitest';
import { createReader } from '../../../src/analysis/spf/read-record.ts';

const IP = '192.0.2.25';
const readOf = (record: string) => createReader()(record);

test.each([
  ['mechanisms behind all', 'a -all mx', 'a'],
  ['networks', 'ip4:203.0.113.1 ip6:2001:db8::1 a -all', 'a'],
  ['modifiers that do not matter', 'x=y exp=why.example a', 'a'],
  ['a redirect= beside all', 'redirect=good.example ~all', ''],
])('%s lead nowhere', (_, record, terms) => {
  expect(
    readOf(`v=spf1 ${record}`)
      .asking.map(({ text }) => text)
      .join(' '),
  ).toBe(terms);
});

test('redirect= is read last, wherever it is', () => {
  const texts = readOf('v=spf1 redirect=good.example a').asking.map(({ text }) => text);
  expect(texts).toEqual(['a', 'redirect=good.example']);
});

test('a fault after all terms that count breaks a long record', () => {
  expect(readOf(`v=spf1 ip4:${IP} -all ${'a '.repeat(30_000)} nonsense`).fault).toBe('nonsense');
});

test('a record is read once, and so is each of its terms', () => {
  const read = createReader();
  const record = `v=spf1 ${'a:x.example '.repeat(400)}-all`;
  expect(read(record)).toBe(read(record));
  expect(new Set(read(record).asking).size).toBe(1);
});
