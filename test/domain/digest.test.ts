/** Tests how the findings of a report are grouped into problems for readers. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digest } from '../../src/domain/report/digest.mjs';
import type { Finding, Severity } from '../../src/domain/report/report.ts';

const finding = (id: string, severity: Severity, part: Partial<Finding> = {}): Finding => ({
  ...{ id, area: 'spf', title: id, severity, checked: true },
  ...part,
});

const idsOf = (all: readonly Finding[]) => all.map(({ id }) => id);

const unsigned = [
  finding('dmarc_alignment', 'warn', { cause: 'dkim:a.example', points: 5 }),
  finding('dkim_present', 'fail', { cause: 'dkim:a.example', points: 22 }),
  finding('one_click_signed', 'fail', { cause: 'dkim:a.example', points: 8 }),
];

test('findings with one cause are one problem, shown by the worst', () => {
  const { problems } = digest([finding('rdns_ptr', 'warn', { points: 2 }), ...unsigned]);
  expect(problems.map((one) => [one.finding.id, ...idsOf(one.consequences)])).toEqual([
    ['dkim_present', 'one_click_signed', 'dmarc_alignment'],
    ['rdns_ptr'],
  ]);
});

test('a cause is shown by the finding that the top fixes name', () => {
  const { problems } = digest(unsigned, [{ id: 'one_click_signed' }]);
  expect(problems[0]?.finding.id).toBe('one_click_signed');
});

test('findings that only say that nobody looked are separate from the extras', () => {
  const { unchecked, extras, passed } = digest([
    finding('dnssec', 'info', { checked: false }),
    finding('link_reputation', 'info', { state: 'not_checked' }),
    finding('connection_tls', 'info', { state: 'not_observable' }),
    finding('mta_sts', 'info', { state: 'absent', fix: 'Publish one.' }),
    finding('spf_result', 'pass'),
  ]);
  expect([unchecked, extras, passed].map(idsOf)).toEqual([
    ['dnssec', 'link_reputation', 'connection_tls'],
    ['mta_sts'],
    ['spf_result'],
  ]);
});

const anyFinding = fc
  .record({
    id: fc.string(),
    severity: fc.constantFrom<Severity>('fail', 'warn', 'info', 'pass'),
    cause: fc.constantFrom('a', 'b', 'c'),
    checked: fc.boolean(),
  })
  .map(({ id, severity, ...part }) => finding(id, severity, part));

test('each finding is in exactly one place', () => {
  fc.assert(
    fc.property(fc.array(anyFinding), (all) => {
      const { problems, unchecked, extras, passed } = digest(all);
      const shown = problems.flatMap((one) => [one.finding, ...one.consequences]);
      const places = [...shown, ...unchecked, ...extras, ...passed];
      expect(places).toHaveLength(all.length);
      expect(new Set(places)).toEqual(new Set(all));
    }),
  );
});
