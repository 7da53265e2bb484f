import type { Fix } from '../../domain/report/report.ts';
import type { Verdict } from '../define-check.ts';
import { capOf, scoreOf } from '../score.ts';

/** The specification's limit. */
const MAX_FIXES = 3;

/**
 * What to do first, out of fail and warn. By gain: the score with this check at its best state less
 * the score now; what its gate hides is taken as passing, so it needs no place in the sum. Equal
 * gains (two caps may hide each other) go by lower cap, more points, fail before warn, catalogue.
 * What another waits for comes before it.
 */
export function topFixes(verdicts: readonly Verdict[]): Fix[] {
  const { score } = scoreOf(verdicts);
  const gainOf = (mended: Verdict) => {
    const best = mended.row.states.at(-1) ?? null;
    const after = verdicts.map((one) => (one === mended ? { row: one.row, state: best } : one));
    return scoreOf(after).score - score;
  };

  const sorted = verdicts
    .filter(({ finding: { severity } }) => severity === 'fail' || severity === 'warn')
    .map((verdict) => ({ verdict, gain: gainOf(verdict), cap: capOf(verdict) ?? 101 }))
    .sort(
      (a, b) =>
        b.gain - a.gain ||
        a.cap - b.cap ||
        b.verdict.points - a.verdict.points ||
        Number(b.verdict.finding.severity === 'fail') -
          Number(a.verdict.finding.severity === 'fail'),
    )
    .map(({ verdict }) => verdict);
  const inOrder = sorted.flatMap((verdict) => [
    ...sorted.filter(({ row }) => row.id === verdict.waitsFor),
    verdict,
  ]);
  return [...new Set(inOrder)].slice(0, MAX_FIXES).map(toFix);
}

/** Improvements that cost no points, in catalogue order. */
export const suggestionsOf = (verdicts: readonly Verdict[]): Fix[] =>
  verdicts.filter(({ state }) => state?.suggest).map(toFix);

const toFix = ({ finding: { id, title, fix } }: Verdict): Fix => ({ id, title, fix: fix ?? '' });
