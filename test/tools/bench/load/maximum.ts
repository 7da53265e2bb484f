import type { Place } from './history.ts';
import { atRate, inTurn } from './phase.ts';
import { type Summary, summarize } from './summary.ts';

/** Tests under way at a time that keep a service fully busy. */
const AT_ONCE = 64;

/** One try of a rate, in milliseconds. */
const TRY_MS = 20_000;

/** From one rate that is tried to the next. */
const STEP = 0.9;

/** In tests a second: one that does not do this is out of order. */
const LEAST = 1;

/** Tests that wait to be erased, in seconds of what begins: more would grow on. */
const MOST_BEHIND_SECONDS = 3;

/** Whether a service keeps up with such a rate: all are ready, and what has ended is erased. */
export const keepsUp = (
  { begun, ready, erase_backlog }: Pick<Summary, 'begun' | 'ready' | 'erase_backlog'>,
  aSecond: number,
): boolean => ready === begun && erase_backlog.last <= MOST_BEHIND_SECONDS * aSecond;

/**
 * The highest rate that is served without turning anybody away, in tests a second: from what a busy
 * service does downwards, or upwards, when it is warm and has to erase as many tests as begin.
 */
export async function findMaximum(place: Place, lifeMs: number): Promise<number> {
  await inTurn(place, AT_ONCE, lifeMs);
  return edgeOf(await inTurn(place, AT_ONCE, TRY_MS), async (aSecond) => {
    const { some: _, ...tried } = summarize(await atRate(place, aSecond, TRY_MS));
    const held = keepsUp(tried, aSecond);
    console.log(
      `${aSecond.toFixed(1)} tests a second: ${held ? 'kept up' : JSON.stringify(tried)}`,
    );
    return held;
  });
}

/** The last rate that holds, looked for from one that may hold or not. */
export async function edgeOf(
  first: number,
  holds: (aSecond: number) => Promise<boolean>,
): Promise<number> {
  const rises = await holds(first);
  for (let last = first; last > LEAST; ) {
    const next = rises ? last / STEP : last * STEP;
    const held = await holds(next);
    if (held !== rises) return rises ? last : next;
    last = next;
  }
  throw new Error('The service does not even keep up with one test a second.');
}
