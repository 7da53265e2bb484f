/** Lists the ways in which the files of a log are damaged, and plays them. */

import type { Room, Row } from '../fault.ts';
import type { Violation } from '../judge/history.ts';
import { DAMAGES } from './damages.ts';
import { everyMessage, type Fate } from './every-message.ts';
import { startCluster } from './nats-cluster.ts';
import { storageRound } from './round.ts';

/** The seed that swaps files of `TESTS` and of the bucket that would show the loss, and what happened then. */
const SWAPPED = { seed: 130, found: 'nats-server starts with both empty, and tests were 404' };

const EVERY = 'every message';

/** Rows of damage to the files of a log. `every message` flips one of each kind. */
export const FILE_ROWS: readonly Row[] = [
  ...DAMAGES.map((name) => ({ name, ...(name === 'swapped files' && SWAPPED) })),
  { name: EVERY },
];

/** Damages the files of one nats-server or three. Afterwards everything must be as before, or 503. */
export async function openFiles(size: 1 | 3): Promise<Room> {
  const cluster = await startCluster(size);
  const broken =
    (rule: string) =>
    (text: string): Violation => ({ rule, testId: '', text });
  return {
    async play(name, seed) {
      if (name !== EVERY) {
        const kind = DAMAGES.find((one) => one === name);
        const { what, wrong } = await storageRound(cluster, seed, kind);
        return wrong.map((one) => broken('unchanged')(`${what}: ${one}`));
      }
      const fates: Fate[] = [];
      for (const node of cluster.nodes) fates.push(...(await everyMessage(cluster, node, seed)));
      // A disk that loses what the next event needs is always noticed.
      if (fates.every(({ damaged }) => damaged === 'same'))
        return [broken('unchanged')('unnoticed')];
      return fates
        .filter(({ damaged, elsewhere }) => !isAllowed(damaged, elsewhere, size))
        .map(({ kind, message, damaged, elsewhere }) =>
          broken('unchanged')(`${kind}: ${message}: ${damaged}, elsewhere ${elsewhere}`),
        );
    },
    stop: () => cluster.end(),
  };
}

/** Returns whether the fate of a test is allowed. If an undamaged copy of a cluster leads, nothing may stay frozen. */
const isAllowed = (damaged: string, elsewhere: string, size: number) =>
  ['same', 'frozen'].includes(damaged) &&
  (elsewhere === 'same' || (size === 1 && elsewhere === 'frozen'));
