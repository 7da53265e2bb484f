/** Tests how the opinions of spam filters appear in a report. */

import { expect, test } from 'vitest';
import { checks } from '../../../src/analysis/checks.ts';
import type { FilterFacts } from '../../../src/analysis/filters/facts.ts';
import table from '../../../src/analysis/filters/rules.json' with { type: 'json' };
import { sortRules } from '../../../src/analysis/filters/rules.ts';
import { toFilters } from '../../../src/analysis/filters/to-filters.ts';
import { makeReport } from '../../../src/analysis/report.ts';
import { type Finding, isReport } from '../../../src/domain/report/report.ts';
import { facts as perfectFacts } from '../../support/mail/facts.ts';

const finding = (severity: Finding['severity'], more: object = {}): Finding => ({
  ...{ id: 'message_id', area: 'headers', severity, title: 'Message-ID' },
  ...more,
});

const factsOf = (
  rule: { says: 'fault' | 'good' | 'fact' },
  finding = 'message_id',
): FilterFacts => ({
  ...{ name: 'rspamd', runBy: 'operator', status: 'checked', version: '3.4' },
  ...{ score: 1.234_567, threshold: 15, action: 'no_action' },
  rules: [{ name: 'ONE_RULE', points: -0.001, known: { ...rule, about: 'It is so.', finding } }],
  leftOut: { rules: 0, points: 0 },
});

test.each([
  ['fault', 'fail', 'agrees'],
  ['fault', 'warn', 'agrees'],
  ['fault', 'pass', 'contradicts'],
  ['fault', 'info', undefined],
  ['good', 'pass', 'agrees'],
  ['good', 'fail', 'contradicts'],
  ['fact', 'fail', undefined],
] as const)('a rule that says %s and a finding that is %s: %s', (says, severity, compared) => {
  const [filter] = toFilters([factsOf({ says })], [finding(severity)]);
  expect(filter?.rules?.[0]).toEqual({
    ...{ name: 'ONE_RULE', points: 0, about: 'It is so.', finding: 'message_id' },
    ...(compared && { compared }),
  });
});

test('a finding that was not checked, or is not in the report, cannot be compared', () => {
  const unknown = toFilters([factsOf({ says: 'fault' })], [finding('info', { checked: false })]);
  expect(unknown[0]?.rules?.[0]).not.toHaveProperty('compared');
  const absent = toFilters([factsOf({ says: 'fault' }, 'other')], [finding('fail')]);
  expect(absent[0]?.rules?.[0]).not.toHaveProperty('finding');
});

const AT = '2026-11-20T10:01:01.000Z';

test.each([-99_999, 99_999, Number.MAX_VALUE])(
  'a filter that gives %d points changes nothing else',
  (score) => {
    const facts = perfectFacts();
    const filters: FilterFacts[] = [
      { ...factsOf({ says: 'fault' }), score } as FilterFacts,
      { name: 'spamassassin', runBy: 'operator', status: 'not_checked', reason: 'busy' },
    ];
    const { filters: said, ...rest } = makeReport({ ...facts, filters }, AT);
    expect(JSON.stringify(rest)).toBe(JSON.stringify(makeReport(facts, AT)));
    expect(said).toHaveLength(2);
    expect(isReport({ ...rest, filters: said })).toBe(true);
  },
);

test('without filters, a report does not contain one byte more', () => {
  const facts = perfectFacts();
  expect(JSON.stringify(makeReport(facts, AT))).not.toContain('"filters"');
});

test('the report holds any number of rules with any names', () => {
  const rules = Array.from({ length: 3000 }, (_, i) => ({ name: `RULE_${i}`, points: 1e308 }));
  const { rules: shown, leftOut } = sortRules('rspamd', rules);
  expect([shown.length, leftOut.rules]).toEqual([60, 2940]);
  const facts: FilterFacts = { ...factsOf({ says: 'fact' }), rules: shown, leftOut } as FilterFacts;
  expect(isReport(makeReport({ ...perfectFacts(), filters: [facts] }, AT))).toBe(true);
});

const ids = new Set<string>(checks.map(({ id }) => id));

test.each(['spamassassin', 'rspamd'] as const)(
  'each rule of %s is described once, with a sentence and an existing finding',
  (name) => {
    const rows = table[name].rules as unknown as string[][];
    const names = rows.map(([rule]) => rule);
    expect(names.filter((one, i) => names.indexOf(one) !== i)).toEqual([]);
    for (const [rule = '', says = '', about = '', sentence = ''] of rows) {
      expect(rule).toMatch(/^[A-Z][A-Z0-9_]{1,63}$/);
      expect(['fault', 'good', 'fact'], rule).toContain(says);
      if (about !== '') expect(ids, rule).toContain(about);
      expect(sentence, rule).toMatch(/^[A-Z].*\.$/);
    }
    const recipient = new RegExp(`^(?:${table[name].recipient.join('|')})$`);
    expect(names.filter((one) => recipient.test(one ?? ''))).toEqual([]);
    expect(table[name].source).toMatch(/^Names: .*https:.*Descriptions: our own\.$/);
  },
);
