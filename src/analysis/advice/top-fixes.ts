import type { Finding, Fix } from '../../domain/report/report.ts';
import type { Verdict } from '../check.ts';
import { capOf, hasWeight, type Scorable, scoreOf } from '../score.ts';
import { renderStep } from './render.ts';

/** The specification's limit. */
const MAX_FIXES = 3;

const causeOf = ({ finding, check }: Verdict): string => finding.cause ?? check.id;

const pointsOf = ({ state }: Scorable): number => state?.points ?? 0;

const isFault = ({ finding: { severity } }: Verdict): boolean =>
  severity === 'fail' || severity === 'warn';

/** What putting one cause right wins: the score with all its findings at their best, less the score now. */
type Gains = (cause: string) => number;

/** Each score is of those few that have any weight. */
export function gainsOf(verdicts: readonly Verdict[]): Gains {
  const weighty = verdicts.filter(hasWeight);
  const { score } = scoreOf(weighty);
  const byCause = Map.groupBy(verdicts, causeOf);
  const gains = new Map<string, number>();
  const compute = (cause: string): number => {
    const own = byCause.get(cause) ?? [];
    if (!own.some(hasWeight)) return 0;
    // What a gate hides is taken as passing, so it needs no place in the sum.
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

/** What is to be done about a finding, as its reader is told. */
const instructionsOf = ({ finding: { actions = [] } }: Verdict): readonly string[] =>
  actions.map(renderStep);

/** Those that ask for something that no earlier one asks for. */
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
 * What to do first, one fix a cause: no two of them are put right by the same act. By gain; equal
 * gains (two caps may hide each other) go by lower cap, more points, fail before warn, catalogue. What
 * another waits for comes before it. A cause is shown by its worst finding.
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

/** Improvements that cost no points, in catalogue order. */
export const suggestionsOf = (verdicts: readonly Verdict[]): Fix[] =>
  verdicts.filter(({ state }) => state?.suggest).map(toFix);

const toFix = ({ finding: { id, title, fix } }: Verdict): Fix => ({ id, title, fix: fix ?? '' });

/** The findings with what the fix of each wins by itself. */
export function findingsOf(verdicts: readonly Verdict[], gainOf: Gains): Finding[] {
  return verdicts.map((one) => {
    const finding = { ...one.finding, points: pointsOf(one) };
    if (!finding.actions) return finding;
    const points = gainOf(causeOf(one));
    return { ...finding, actions: finding.actions.map((action) => ({ ...action, points })) };
  });
}
