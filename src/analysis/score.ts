import type { Grade } from '../domain/report/report.ts';
import { gradeOf } from '../domain/report/score-text.mjs';
import type { Check, State } from './check.ts';
import { checks } from './checks.ts';
import { ANY_FAIL_CAP, FAMILY_CAPS, type Family } from './scale.ts';

/** What the score needs of a verdict. A state of null is unknown and costs nothing. */
export interface Scorable {
  readonly check: Pick<Check, 'id' | 'family' | 'gate'>;
  readonly state: State | null;
  readonly unseen?: true;
}

export interface Score {
  readonly score: number;
  readonly grade: Grade;
  /** Before the cap, and before it is kept at 0 or above. */
  readonly sum: number;
  /** Points of each family that lost any, in the catalogue's order. */
  readonly penalties: readonly {
    readonly family: Family;
    readonly points: number;
    /** The checks that cost points. */
    readonly by: readonly string[];
  }[];
  /** The lowest cap and the checks that set it; null: nothing caps. */
  readonly cap: { readonly value: number; readonly by: readonly string[] } | null;
}

/** 100 less the points of each family, no more than the lowest cap: section "Score" of `/method`. */
export function scoreOf(judged: readonly Scorable[]): Score {
  const costly: ReadonlyMap<string, readonly Scorable[]> = Map.groupBy(
    judged.filter(({ state }) => state?.points),
    ({ check }) => check.family,
  );
  const penalties = (Object.entries(FAMILY_CAPS) as [Family, number][])
    .map(([family, most]) => {
      const own = costly.get(family) ?? [];
      const points = own.reduce((sum, { state }) => sum + (state?.points ?? 0), 0);
      return { family, points: Math.min(most, points), by: own.map(({ check }) => check.id) };
    })
    .filter(({ points }) => points > 0);

  const sum = penalties.reduce((left, { points }) => left - points, 100);
  const cap = lowestCap(judged);
  const score = Math.min(Math.max(0, sum), cap?.value ?? 100);
  return { score, grade: gradeOf(score), sum, penalties, cap };
}

/** Every fail caps, be it only at `ANY_FAIL_CAP`. */
export function capOf({ state }: Scorable): number | null {
  if (state?.severity !== 'fail') return state?.cap ?? null;
  return Math.min(state.cap ?? ANY_FAIL_CAP, ANY_FAIL_CAP);
}

function lowestCap(judged: readonly Scorable[]): Score['cap'] {
  const caps = judged.flatMap((one) => {
    const value = capOf(one);
    return value === null ? [] : [{ value, id: one.check.id }];
  });
  if (caps.length === 0) return null;
  const value = Math.min(...caps.map((cap) => cap.value));
  return { value, by: caps.filter((cap) => cap.value === value).map(({ id }) => id) };
}

/** What the unknown could cost. */
export interface Doubt {
  /** The score if all of it were as bad as it can be. */
  readonly lowest: number;
  /** What could cost points or cap the score, the costliest first. */
  readonly by: readonly string[];
  /** Nothing of this run could learn it: not in `lowest`. */
  readonly unseen: readonly string[];
}

/** null: everything is known. */
export function doubtOf(judged: readonly Scorable[]): Doubt | null {
  const unknown = judged.filter(({ state }) => state === null);
  if (unknown.length === 0) return null;
  const lowestWith = (doubted: readonly Scorable[]) =>
    scoreOf([...judged, ...doubted.flatMap(({ check }) => worstOf(check))]).score;
  const counted = unknown.filter(({ unseen }) => !unseen);
  const costly = counted.filter(({ check }) => worstOf(check).some(hasWeight));
  const by = costly
    .map((one) => ({ id: one.check.id, lowest: lowestWith([one]) }))
    .sort((one, other) => one.lowest - other.lowest);
  return {
    lowest: lowestWith(counted),
    by: by.map(({ id }) => id),
    unseen: unknown.filter(({ unseen }) => unseen).map(({ check }) => check.id),
  };
}

/** A check at its worst, with those behind its gate, which it hides while it is unknown. */
const worstOf = (check: Scorable['check']): readonly Scorable[] =>
  checks
    .filter(({ id, gate }) => id === check.id || gate === check.id)
    .map((one) => {
      const caps = one.states.flatMap((state) => capOf({ check: one, state }) ?? []);
      const points = Math.max(...one.states.map((state) => state.points));
      const cap = caps.length > 0 ? Math.min(...caps) : null;
      return {
        check: one,
        state: { name: 'unknown', severity: 'info', when: 'not known', points, cap },
      };
    });

/** Points and caps of nothing but what costs: what passes is of no weight in a score. */
export const hasWeight = (one: Scorable): boolean =>
  (one.state?.points ?? 0) > 0 || capOf(one) !== null;
