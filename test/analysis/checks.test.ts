/**
 * Tests every check of the analysis against its cases, and the rules that all checks and the texts
 * of their findings follow.
 */

import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../src/analysis/check.ts';
import { checks, findCheck } from '../../src/analysis/checks.ts';
import { FAMILY_CAPS } from '../../src/analysis/scale.ts';
import { facts } from '../support/mail/facts.ts';
import { arcBimiCases } from './bimi/checks.cases.ts';
import { connectionCases } from './connection/checks.cases.ts';
import { dkimCases } from './dkim/checks.cases.ts';
import { dmarcCases } from './dmarc/checks.cases.ts';
import { headerCases } from './headers/checks.cases.ts';
import { htmlCases } from './html/checks.cases.ts';
import { impersonationCases } from './impersonation/checks.cases.ts';
import { linkCases } from './links/checks.cases.ts';
import { mimeCases } from './mime/checks.cases.ts';
import { providerCases } from './provider/checks.cases.ts';
import { receivingCases } from './receiving/checks.cases.ts';
import { reputationCases } from './reputation/checks.cases.ts';
import { routeCases } from './route/checks.cases.ts';
import { spfCases } from './spf/checks.cases.ts';
import { textCases } from './text/checks.cases.ts';
import { unsubscribeCases } from './unsubscribe/checks.cases.ts';
import { placeholdersIn } from './whole/placeholders.ts';

const cases = [
  ...spfCases,
  ...dkimCases,
  ...dmarcCases,
  ...arcBimiCases,
  ...connectionCases,
  ...providerCases,
  ...reputationCases,
  ...receivingCases,
  ...headerCases,
  ...impersonationCases,
  ...unsubscribeCases,
  ...mimeCases,
  ...textCases,
  ...htmlCases,
  ...linkCases,
  ...routeCases,
];

const run = ([id, , ...parts]: (typeof cases)[number]) =>
  checks.find((check) => check.id === id)?.run(facts(...parts));

const word = (state: { severity: string; points: number; suggest?: boolean }) =>
  `${state.severity} ${state.points}${state.suggest ? ' suggest' : ''}`;

function says(verdict: Verdict | undefined): string {
  if (!verdict) return 'left out';
  return verdict.state ? word(verdict.state) : 'unknown';
}

test.each(cases.map((one, at) => [one[0], one[1], at, one] as const))(
  '%s: %s (case %i)',
  (_, expected, __, one) => {
    const [, , ...parts] = one;
    expect(says(run(one)), `with ${JSON.stringify(parts)}`).toBe(expected);
  },
);

describe('every check', () => {
  // A title is read beside a severity, and without one in `top_fixes`. In both places it must be a name, not
  // a verdict.
  test.each(checks.map(({ id, title }) => [id, title]))(
    '%s has a title that names what is examined: %s',
    (_, title) => {
      expect(title).toMatch(/^[A-Z]/);
      expect(title).not.toMatch(
        /\b(?:is|are|has|have|can|agrees?|match(?:es)?|uses?|verif(?:y|ies)|leaks?|marked|published|enforced|usable|only|no|not|valid)\b/i,
      );
    },
  );

  test.each(checks.map((row) => [row.id, row] as const))(
    '%s has a source and the meaning of each state and case in words',
    (_, { source, states, fixes }) => {
      const cases = Object.values(fixes).map(({ why }) => why);
      for (const text of [source, ...cases, ...states.map(({ when }) => when)])
        expect(text).toMatch(/\w/);
    },
  );

  test('every state of every check has a case', () => {
    const tested = new Set(cases.map(([id, expected]) => `${id} ${expected}`));
    const states = checks.flatMap(({ id, states }) =>
      states.map((state) => `${id} ${word(state)}`),
    );
    expect(
      states.filter((state) => !tested.has(state)),
      'add a case to checks.cases.ts of its signal',
    ).toEqual([]);
  });

  test('a gate comes before what it hides, and shares its family', () => {
    const at = new Map(checks.map((row, index) => [row.id, { row, index }]));
    for (const { gate, family, id } of checks) {
      if (gate === undefined) continue;
      expect(at.get(gate)?.row.family, id).toBe(family);
      expect(at.get(gate)?.index, id).toBeLessThan(at.get(id)?.index ?? 0);
    }
  });

  test.each(checks.map((row) => [row.id, row.states] as const))(
    '%s: a better state costs less and caps no lower',
    (_, states) => {
      const costs = states.map(({ points }) => points);
      const caps = states.map(({ cap, severity }) => cap ?? (severity === 'fail' ? 89 : 100));
      expect(costs).toEqual(costs.toSorted((a, b) => b - a));
      expect(caps).toEqual(caps.toSorted((a, b) => a - b));
      expect(states.at(-1)).toMatchObject({ severity: 'pass', points: 0, cap: null });
      for (const { severity, points } of states)
        if (severity === 'info' || severity === 'pass') expect(points).toBe(0);
    },
  );

  test('a gate’s worst state costs what everything behind it can cost, so that opening it lowers no score', () => {
    for (const gate of new Set(checks.flatMap(({ gate: id }) => id ?? []))) {
      const row = findCheck(gate);
      const behind = checks.filter((one) => one.gate === gate);
      const cap = row?.states[0]?.cap ?? 100;
      const hidden = behind
        .filter(({ family }) => family === row?.family)
        .reduce((sum, { states }) => sum + Math.max(...states.map(({ points }) => points)), 0);
      const most = Math.min(hidden, row ? FAMILY_CAPS[row.family] : 0);
      expect(row?.states[0]?.points, gate).toBeGreaterThanOrEqual(most);
      for (const one of behind)
        for (const state of one.states) expect(cap, one.id).toBeLessThanOrEqual(state.cap ?? 100);
    }
  });
});

describe('a finding', () => {
  const verdicts = cases.flatMap((one) => {
    const verdict = run(one);
    return verdict ? [[`${one[0]}: ${one[1]}`, verdict] as const] : [];
  });
  const open = ({ state }: Verdict) =>
    state?.severity === 'fail' || state?.severity === 'warn' || state?.suggest === true;

  test.each(verdicts)('%s has a fix if, and only if, there is something to do', (_, verdict) => {
    expect(verdict.finding.fix !== undefined).toBe(open(verdict));
  });

  test.each(verdicts.filter(([, verdict]) => open(verdict)))(
    '%s leaves nothing for the reader to guess',
    (_, { finding: { fix = '', actions = [] } }) => {
      expect(actions).not.toEqual([]);
      for (const { value } of actions) expect(value).not.toBe('');
      const texts = [fix, ...actions.flatMap(({ value }) => value ?? [])];
      expect(placeholdersIn(texts.join('\n'))).toEqual([]);
    },
  );

  test.each(checks.map((row) => [row.id, row] as const))(
    '%s: no text of the catalogue has a word in capitals that has to be filled in',
    (_, { fixes }) => {
      const texts = Object.values(fixes)
        .flatMap(({ why, do: what = '' }) => [why, what])
        .join('\n');
      expect(placeholdersIn(texts.replace(/\{\w+\}/g, ''))).toEqual([]);
    },
  );

  test.each(verdicts)('%s has a detail that says something', (_, { finding }) => {
    expect(finding.detail).toMatch(/\w/);
    expect(finding.detail).not.toMatch(/undefined|NaN|\[object/);
  });

  test('that is unknown costs nothing and shows the error', () => {
    for (const [, verdict] of verdicts.filter(([, { state }]) => state === null)) {
      expect(verdict.finding.severity).toBe('info');
      expect(verdict.finding.detail).toContain(verdict.error);
      expect(verdict.finding.fix).toBeUndefined();
    }
  });
});
