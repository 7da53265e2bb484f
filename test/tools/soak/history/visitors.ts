import { setTimeout as sleep } from 'node:timers/promises';
import type { Prng } from '../../../support/prng/prng.ts';
import type { Calls, Owned } from './calls.ts';
import type { Replica } from './target.ts';

const COUNT = 3;

/** Between two looks of one visitor, in milliseconds, at most. */
const PAUSE_MS = 150;

interface Options {
  readonly calls: Pick<Calls, 'poll' | 'read'>;
  readonly replicas: readonly [Replica, ...Replica[]];
  readonly random: Prng;
  /** Tests that were begun; what is seen to be over is taken out. */
  readonly known: Owned[];
}

/** Come back to tests of any age, up to their end and beyond, and pay nothing. */
export function startVisitors({ calls, replicas, random, known }: Options) {
  let stopped = false;

  async function visit(mine: Prng): Promise<void> {
    while (!stopped) {
      await sleep(mine.integer(10, PAUSE_MS));
      const owned = known[mine.integer(0, Math.max(0, known.length - 1))];
      if (!owned) continue;
      const replica = mine.pick(replicas);
      if (mine.number() < 0.3) await calls.read(replica, owned, false);
      const seen = await calls.poll(replica, owned);
      // Others may still show what is over here: it is looked at a few times more.
      if (seen === 'absent' && mine.number() < 0.3 && known.includes(owned))
        known.splice(known.indexOf(owned), 1);
    }
  }

  const running = Array.from({ length: COUNT }, () => visit(random.split()));
  return {
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all(running);
    },
  };
}
