/**
 * Tells all replicas which tests have a damaged history, so that every replica responds about them in the
 * same way.
 */

import { DAMAGED_KEY, type DamagedTests } from '../../domain/high-water-marks.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { Projection } from '../../ports/log.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { TestFollower } from './follower.ts';

/**
 * Pause between two rounds, in milliseconds. One replica writes, and the others read it in their next round.
 */
const EVERY_MS = 3000;

/** How long an entry is valid, in milliseconds. It is written again after half of that. */
const COUNTS_MS = 60_000;

/**
 * Maximum number of damaged tests that are named. A log with more damage has to be restored from a backup.
 */
const MOST = 1000;

interface Ports {
  readonly follower: Pick<TestFollower, 'damaged' | 'isDamaged' | 'expectUpTo'>;
  readonly marks: Projection<DamagedTests>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly everyMs?: number;
}

/**
 * Makes all replicas respond in the same way about damaged tests. A replica that folded a history before it
 * was damaged does not notice the damage. It therefore reads, at the leader, every history that another
 * replica has frozen.
 */
export function shareDamage({ follower, marks, clock, logger, everyMs = EVERY_MS }: Ports) {
  async function round(): Promise<void> {
    const there = await marks.get(DAMAGED_KEY);
    const age = clock() - (there?.seq ?? 0);
    const named = there && age < COUNTS_MS ? there.tests : {};
    for (const [id, seq] of Object.entries(named))
      if (!follower.isDamaged(id)) await follower.expectUpTo(id, seq);
    const mine = follower.damaged().slice(0, MOST);
    const isNews = age > COUNTS_MS / 2 || mine.some(([id]) => !Object.hasOwn(named, id));
    if (mine.length === 0 || !isNews) return;
    const tests = mine.map(([id, { problem, seq }]) => [id, problem === 'tail' ? seq : 0] as const);
    const seq = Math.max(clock(), (there?.seq ?? 0) + 1);
    await marks.put(DAMAGED_KEY, { seq, tests: Object.fromEntries(tests) });
  }
  const timer = setInterval(() => {
    round().catch((err: unknown) => logger.debug({ err }, 'damaged tests not shared'));
  }, everyMs);
  return { stop: () => clearInterval(timer) };
}
