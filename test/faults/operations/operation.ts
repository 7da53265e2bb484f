/**
 * Defines an operation, steps that an operator carries out while buyers keep buying, with steps
 * that several share, such as replacing every replica.
 */

import { type Plan, WHOLE } from '../client/plan.ts';
import { type Fault, type Load, over } from '../fault.ts';
import type { ClusterWorld } from '../world/cluster.ts';
import { type Replica, untilReady, type World, waitFor } from '../world/parts.ts';

/** An action of an operator, in a sentence that docs/operations.md also contains, and its code. */
export type Step = readonly [does: string, run: (world: ClusterWorld & Load) => Promise<unknown>];

/** Something that is done, or happens, to a deployment in use. */
export interface Operation {
  readonly steps: readonly Step[];
  /** Prepares a folder. Returns the settings for the operation, or the reason why this machine cannot play it. */
  readonly prepare?: (folder: string) => Promise<Readonly<Record<string, string>> | string>;
  /** Undoes what `prepare` did. */
  readonly end?: () => void;
  /** The log is replaced by another, so only what clients were promised can be judged. */
  readonly isLogReplaced?: boolean;
}

/** Buyers, two of whom pay. */
const BUYERS: readonly Plan[] = [WHOLE, WHOLE, { ...WHOLE, pays: 'not' }, { ...WHOLE, mails: 0 }];

/** Returns an operation as a row: its steps follow each other while buyers keep buying. */
export const toFault = (name: string, operation: Operation): Fault => ({
  name,
  kind: 'outage',
  plans: BUYERS,
  isSteady: true,
  attempts: 0,
  isLogReplaced: operation.isLogReplaced ?? false,
  async apply(world, _random, { load }) {
    for (const [, run] of operation.steps) await run({ ...(world as ClusterWorld), ...load });
    return over;
  },
});

/** Resolves once this many more reports were sold. */
export async function sells({ sold }: Load, count: number): Promise<void> {
  const goal = sold() + count;
  await waitFor(`${count} more reports are sold`, async () => sold() >= goal);
}

/** Replaces one replica after another. Each is ready before the next one ends. */
export async function replaceEach(
  { replicas }: World,
  change: (replica: Replica) => Promise<Parameters<Replica['replace']>[0]>,
): Promise<void> {
  for (const replica of replicas) {
    await replica.replace(await change(replica));
    await untilReady(replica);
  }
}
