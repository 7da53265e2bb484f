/**
 * Tests the whole analysis with every case of a complete email, follows every fix, and checks that the cases
 * fill every member of a report and print every text of the catalogue.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { topFixes } from '../../../src/analysis/advice/top-fixes.ts';
import type { Verdict } from '../../../src/analysis/check.ts';
import { checks } from '../../../src/analysis/checks.ts';
import { judge } from '../../../src/analysis/judge.ts';
import { anApi } from '../../api/harness.ts';
import { judgeFixes } from '../../lab/fixes/judge.ts';
import { contractOf } from '../../support/api/contract.ts';
import { allCases } from './all-cases.ts';
import { applyFix } from './apply-fix.ts';
import { bases } from './bases.ts';
import type { Case, State } from './case.ts';
import {
  type Analysis,
  type Analyzer,
  startWholeEnvironment,
  type WholeEnvironment,
} from './environment.ts';
import { WORDS } from './fixes-as-text.ts';
import { placeholdersIn } from './placeholders.ts';
import type { Situation } from './publish.ts';
import { analyzingOnce } from './remembering.ts';
import { filledPaths, reportPaths } from './report-paths.ts';
import { statesWithFix } from './states-with-fix.ts';

type States = Readonly<Record<string, State>>;

let environment: WholeEnvironment;
/** Analyses the emails that result from following fixes. */
let analyzer: Analyzer;
let contract: ReturnType<typeof contractOf>;
beforeAll(async () => {
  environment = await startWholeEnvironment();
  analyzer = analyzingOnce(environment);
  const { app } = await anApi();
  contract = contractOf((await app.inject('/openapi.json')).json());
});
afterAll(() => environment.stop());

describe.each(Object.entries(bases))('the correct %s', (_, { mail, states }) => {
  test('is in the states of the table', async () => {
    const { states: seen, report } = await environment.analyze({ mail: mail() });
    expect(report).toMatchObject({ score: 100, grade: 'A', top_fixes: [] });
    expect(seen).toEqual(states);
  });
});

/** Returns the states that differ between two emails. */
function differences(base: States, seen: States): States {
  const ids = new Set([...Object.keys(base), ...Object.keys(seen)]);
  return Object.fromEntries(
    [...ids]
      .filter((id) => seen[id] !== base[id])
      .map((id): [string, State] => [id, seen[id] ?? 'left out']),
  );
}

/** Repeats the arithmetic of a note. */
function sumOf(note: string): number {
  const lost = [...note.matchAll(/ - (\d+) \w+/g)].reduce((sum, [, n]) => sum + Number(n), 0);
  const cap = Number(/capped at (\d+)/.exec(note)?.[1] ?? 100);
  return Math.min(Math.max(0, 100 - lost), cap);
}

/** Members that some report contained. */
const filled = new Set<string>();

/** States whose fix was followed to the letter, and all fixes that were printed, by check. */
const followed = new Set<string>();
const printed = new Map<string, string[]>();

const causeOf = ({ finding, check }: Verdict): string => finding.cause ?? check.id;

/** Returns causes of failures that three rounds of the top fixes do not reach. */
async function unreached(one: Case, before: Analysis): Promise<readonly string[]> {
  const failing = judge(before.facts).filter(({ finding }) => finding.severity === 'fail');
  const wanted = new Set(failing.map(causeOf));
  const done = new Set<string>();
  let now: Situation = one;
  let seen = before;
  for (let round = 0; round < 3 && [...wanted].some((cause) => !done.has(cause)); round += 1) {
    if (now !== one) seen = await analyzer.analyze(now);
    const open = judge(seen.facts).filter((verdict) => !done.has(causeOf(verdict)));
    const top = topFixes(open).map(({ id }) => id);
    const findings = seen.report.findings.filter(({ id }) => top.includes(id));
    for (const finding of findings) {
      done.add(finding.cause ?? finding.id);
      now = applyFix(now, finding) ?? now;
    }
  }
  return [...wanted].filter((cause) => !done.has(cause));
}

describe.each(Object.entries(allCases))('%s', (_, cases) => {
  const seen = new Map<Case, Analysis>();

  test.each(cases)('$about', async (one) => {
    const analysis = await environment.analyze(one);
    seen.set(one, analysis);
    const { report, states } = analysis;
    const base = bases[one.mail?.base ?? 'newsletter'].states;
    expect(differences(base, states), 'what this email changes, against its case').toEqual(
      one.states,
    );
    const shown = report.findings.map(({ id, state }) => [id, state ?? 'unknown']);
    expect(Object.fromEntries(shown)).toEqual(states);
    if (!one.isUnanswered) expect(report.partial_errors ?? []).toEqual([]);
    const answered = JSON.parse(JSON.stringify(report));
    expect(contract.faultsOf('/components/schemas/Report', answered)).toEqual([]);
    for (const { id, fix = '', actions = [] } of report.findings) {
      expect(placeholdersIn([fix, ...actions.map(({ value }) => value)].join('\n')), id).toEqual(
        [],
      );
      expect(actions.length > 0, id).toBe(fix !== '');
    }
    expect(sumOf(report.notes[0] ?? '')).toBe(report.score);
    for (const path of filledPaths(report)) filled.add(path);
  });

  test.each(cases)(
    '$about: following the printed fixes cures it, and breaks nothing',
    async (one) => {
      const before = seen.get(one) ?? (await environment.analyze(one));
      for (const { id, fix } of before.report.findings)
        if (fix !== undefined) printed.set(id, [...(printed.get(id) ?? []), fix]);
      const judgement = await judgeFixes({ name: one.about, situation: one }, analyzer, before);
      expect(judgement).toMatchObject({ harm: [], stuck: [] });
      for (const state of judgement.followed) followed.add(state);
      const causes = before.report.top_fixes.map(
        ({ id }) => before.report.findings.find((finding) => finding.id === id)?.cause,
      );
      expect(new Set(causes).size).toBe(causes.length);
      expect(await unreached(one, before)).toEqual([]);
    },
  );
});

test('every member of a report is filled for some email', () => {
  expect(reportPaths.filter((path) => !filled.has(path))).toEqual([]);
});

test('every fix that prints something was followed', () => {
  expect(
    statesWithFix.filter((state) => !followed.has(state) && !(state in WORDS)),
    'follow it in apply-actions.ts, or say in fixes-as-text.ts why no machine can',
  ).toEqual([]);
  const stale = (state: string) => followed.has(state) || !statesWithFix.includes(state);
  expect(Object.keys(WORDS).filter(stale)).toEqual([]);
});

/** Texts that appear only without an email. `domain.int.test.ts` prints them. */
const WITHOUT_EMAIL = ['dmarc_record parked', 'dmarc_policy parked', 'from_domain_mx idle'];

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns a pattern for any text that a template of the catalogue can become. */
const formOf = (template: string) =>
  new RegExp(
    template
      .split(/\{\w+\}/)
      .map(literally)
      .join('[^]*'),
  );

test('every text of the catalogue is printed for some email', () => {
  const silent = checks.flatMap(({ id, fixes = {} }) =>
    Object.entries(fixes)
      .filter(
        ([name, { why }]) =>
          name !== 'fix' && !printed.get(id)?.some((fix) => formOf(why).test(fix)),
      )
      .map(([name]) => `${id} ${name}`),
  );
  expect(silent).toEqual(WITHOUT_EMAIL);
});
