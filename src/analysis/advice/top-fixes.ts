/**
 * Calculates the points that each fix gains, chooses by them what to fix first, and prepares the suggestions
 * and the findings of a report with their points.
 */

import type { Finding, Fix } from '../../domain/report/report.ts';
import type { Verdict } from '../check.ts';
import { capOf, hasWeight, type Scorable, scoreOf } from '../score.ts';
import { renderStep } from './render.ts';

/** Maximum number of top fixes in a report. */
const MAX_FIXES = 3;

const causeOf = ({ finding, check }: Verdict): string => finding.cause ?? check.id;

const pointsOf = ({ state }: Scorable): number => state?.points ?? 0;

const isFault = ({ finding: { severity } }: Verdict): boolean =>
  severity === 'fail' || severity === 'warn';

/**
 * Returns the points gained by fixing a cause: the score with all findings of that cause at their best, less
 * the current score.
 */
type Gains = (cause: string) => number;

/**
 * Returns the function that calculates the gain of each cause. Only the few verdicts that affect the score
 * are used.
 */
export function gainsOf(verdicts: readonly Verdict[]): Gains {
  const weighty = verdicts.filter(hasWeight);
  const { score } = scoreOf(weighty);
  const byCause = Map.groupBy(verdicts, causeOf);
  const gains = new Map<string, number>();
  const compute = (cause: string): number => {
    const own = byCause.get(cause) ?? [];
    if (!own.some(hasWeight)) return 0;
    // Checks that a closed gate hides are assumed to pass once it opens, so they can be left out of the sum.
    const best = own.map(({ check }) => ({ check, state: check.states.at(-1) ?? null }));
    const others = weighty.filter((one) => causeOf(one) !== cause);
    return Math.max(0, scoreOf([...others, ...best.filter(hasWeight)]).score - score);
  };
  return (cause) => {
    const gain = gains.get(cause) ?? compute(cause);
    gains.set(cause, gain);
    return gain;
  };
}

/** Returns the instructions of a finding as the report shows them. */
const instructionsOf = ({ finding: { actions = [] } }: Verdict): readonly string[] =>
  actions.map(renderStep);

/** Removes the verdicts whose instructions have all been given by earlier ones. */
function withoutRepeats(all: readonly Verdict[]): readonly Verdict[] {
  const asked = new Set<string>();
  return all.filter((one) => {
    const instructions = instructionsOf(one);
    const isNew = instructions.length === 0 || instructions.some((text) => !asked.has(text));
    for (const text of instructions) asked.add(text);
    return isNew;
  });
}

/**
 * Returns the most useful fixes, one per cause, without fixes that only repeat the instructions of earlier
 * ones. Fixes are sorted by gain, and a fix comes before those that wait for it. Fixes with equal gains are
 * sorted by lower cap, more points, fail before warn, then catalogue order. Gains can be equal because one
 * cap may hide another. The worst finding represents its cause.
 */
export function topFixes(verdicts: readonly Verdict[], gainOf = gainsOf(verdicts)): Fix[] {
  const causes = [...Map.groupBy(verdicts.filter(isFault), causeOf)].map(([cause, all]) => {
    const first = all.find(({ check }) => all.some((one) => one.waitsFor === check.id));
    const worst = first ?? all.toSorted(bySeverity)[0];
    const waitsFor = all.flatMap((one) => one.waitsFor ?? []);
    return { cause, worst, waitsFor, gain: gainOf(cause) };
  });
  const sorted = causes.toSorted(
    (a, b) => b.gain - a.gain || (a.worst && b.worst ? bySeverity(a.worst, b.worst) : 0),
  );
  const inOrder = sorted.flatMap((one) => [
    ...sorted.filter(
      ({ cause, worst }) =>
        one.waitsFor.includes(cause) || (worst && one.waitsFor.includes(worst.check.id)),
    ),
    one,
  ]);
  const worst = [...new Set(inOrder)].flatMap((one) => one.worst ?? []);
  return withoutRepeats(worst).slice(0, MAX_FIXES).map(toFix);
}

const bySeverity = (a: Verdict, b: Verdict): number =>
  (capOf(a) ?? 101) - (capOf(b) ?? 101) ||
  pointsOf(b) - pointsOf(a) ||
  Number(b.finding.severity === 'fail') - Number(a.finding.severity === 'fail');

/** Returns the suggestions, which are improvements that cost no points, in catalogue order. */
export const suggestionsOf = (verdicts: readonly Verdict[]): Fix[] =>
  verdicts.filter(({ state }) => state?.suggest).map(toFix);

const toFix = ({ finding: { id, title, fix } }: Verdict): Fix => ({ id, title, fix: fix ?? '' });

/** Returns the findings with their points, and adds to each action what its fix gains on its own. */
export function findingsOf(verdicts: readonly Verdict[], gainOf: Gains): Finding[] {
  return verdicts.map((one) => {
    const finding = { ...one.finding, points: pointsOf(one) };
    if (!finding.actions) return finding;
    const points = gainOf(causeOf(one));
    return { ...finding, actions: finding.actions.map((action) => ({ ...action, points })) };
  });
}
