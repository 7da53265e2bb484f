import type { Grade } from '../domain/report/report.ts';
import { type CheckRow, catalogue, type State } from './catalogue.ts';

/** What the score needs of a verdict. A state of null is unknown and costs nothing. */
export interface Scorable {
  readonly row: CheckRow;
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
    readonly family: string;
    readonly points: number;
    /** The checks that cost points. */
    readonly by: readonly string[];
  }[];
  /** The lowest cap and the checks that set it; null: nothing caps. */
  readonly cap: { readonly value: number; readonly by: readonly string[] } | null;
}

/** 100 less the points of each family, no more than the lowest cap: section "Score" of `/method`. */
export function scoreOf(judged: readonly Scorable[]): Score {
  const costly = Map.groupBy(
    judged.filter(({ state }) => state?.points),
    ({ row }) => row.family,
  );
  const penalties = Object.entries(catalogue.family_caps)
    .map(([family, most]) => {
      const own = costly.get(family) ?? [];
      const points = own.reduce((sum, { state }) => sum + (state?.points ?? 0), 0);
      return { family, points: Math.min(most, points), by: own.map(({ row }) => row.id) };
    })
    .filter(({ points }) => points > 0);

  const sum = penalties.reduce((left, { points }) => left - points, 100);
  const cap = lowestCap(judged);
  const score = Math.min(Math.max(0, sum), cap?.value ?? 100);
  return { score, grade: gradeOf(score), sum, penalties, cap };
}

/** Best first. */
const GRADES = (Object.entries(catalogue.grades) as [Grade, number][]).sort(
  ([, a], [, b]) => b - a,
);

/** The grade of a score. */
export function gradeOf(score: number): Grade {
  return GRADES.find(([, lowest]) => score >= lowest)?.[0] ?? 'F';
}

/** Every fail caps, be it only at `any_fail_cap`. */
export function capOf({ state }: Scorable): number | null {
  if (state?.severity !== 'fail') return state?.cap ?? null;
  return Math.min(state.cap ?? catalogue.any_fail_cap, catalogue.any_fail_cap);
}

function lowestCap(judged: readonly Scorable[]): Score['cap'] {
  const caps = judged.flatMap((one) => {
    const value = capOf(one);
    return value === null ? [] : [{ value, id: one.row.id }];
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
    scoreOf([...judged, ...doubted.flatMap(({ row }) => worstOf(row))]).score;
  const counted = unknown.filter(({ unseen }) => !unseen);
  const costly = counted.filter(({ row }) => worstOf(row).some(hasWeight));
  const by = costly
    .map((one) => ({ id: one.row.id, lowest: lowestWith([one]) }))
    .sort((one, other) => one.lowest - other.lowest);
  return {
    lowest: lowestWith(counted),
    by: by.map(({ id }) => id),
    unseen: unknown.filter(({ unseen }) => unseen).map(({ row }) => row.id),
  };
}

/** A check at its worst, with those behind its gate, which it hides while it is unknown. */
const worstOf = (row: CheckRow): readonly Scorable[] =>
  [row, ...catalogue.checks.filter(({ gate }) => gate === row.id)].map((one) => {
    const caps = one.states.flatMap((state) => capOf({ row: one, state }) ?? []);
    const points = Math.max(...one.states.map((state) => state.points));
    const cap = caps.length > 0 ? Math.min(...caps) : null;
    return { row: one, state: { ...catalogue.unknown, points, cap } };
  });

/** Points and caps of nothing but what costs: what passes is of no weight in a score. */
export const hasWeight = (one: Scorable): boolean =>
  (one.state?.points ?? 0) > 0 || capOf(one) !== null;
