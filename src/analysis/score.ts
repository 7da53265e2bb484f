/** Calculates the score and the grade of a report, and how far unknown results could lower the score. */

import type { Grade } from '../domain/report/report.ts';
import { gradeOf } from '../domain/report/score-text.mjs';
import type { Check, State } from './check.ts';
import { checks } from './checks.ts';
import { ANY_FAIL_CAP, FAMILY_CAPS, type Family } from './scale.ts';

/**
 * The parts of a verdict that the score needs. If the state is null, the result is unknown and costs nothing.
 */
export interface Scorable {
  readonly check: Pick<Check, 'id' | 'family' | 'gate'>;
  readonly state: State | null;
  readonly unseen?: true;
}

export interface Score {
  readonly score: number;
  readonly grade: Grade;
  /** The sum before the cap is applied, and before a negative sum is raised to 0. */
  readonly sum: number;
  /** The points that each family costs, in catalogue order. Families that cost nothing are left out. */
  readonly penalties: readonly {
    readonly family: Family;
    readonly points: number;
    /** The ids of the checks that cost these points. */
    readonly by: readonly string[];
  }[];
  /** The lowest cap, and the ids of the checks that set it. Null if no cap applies. */
  readonly cap: { readonly value: number; readonly by: readonly string[] } | null;
}

/**
 * Calculates the score: 100 less the points of each family, but not more than the lowest cap. The section
 * "Score" of `/method` explains the calculation.
 */
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

/**
 * Returns the cap of a verdict, or null if there is none. Every fail has a cap, because `ANY_FAIL_CAP`
 * applies to all of them.
 */
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

/** How far the unknown results of a report could lower its score. */
export interface Doubt {
  /** The score that would remain if every unknown result turned out as badly as possible. */
  readonly lowest: number;
  /** The ids of the unknown checks that could lower the score, the costliest first. */
  readonly by: readonly string[];
  /**
   * The ids of the checks whose results no part of this run could have found out, and which therefore do not
   * count in `lowest`.
   */
  readonly unseen: readonly string[];
}

/** Returns how far the unknown results could lower the score, or null if everything is known. */
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

/** Returns the worst possible results of an unknown check and of the checks that are hidden behind it. */
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

/**
 * Returns whether a result affects the score, because it costs points or sets a cap. A pass does neither.
 */
export const hasWeight = (one: Scorable): boolean =>
  (one.state?.points ?? 0) > 0 || capOf(one) !== null;
