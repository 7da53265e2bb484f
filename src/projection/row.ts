import type { StateValueFrom } from 'xstate';
import { type Context, deliveryTest } from '../../machines/delivery-test.ts';
import { fold, type TestState } from './fold.ts';

/** The specification's five states. */
export type StatusName =
  | Exclude<Extract<StateValueFrom<typeof deliveryTest>, string>, 'unknown' | 'expired'>
  | 'waiting';

/** What is kept in memory of each live test: enough to answer, to decide and to fold further. */
export interface Row {
  /** Sequence of the last event folded: what the next append expects. */
  readonly seq: number;
  readonly status: StatusName;
  /** In `waiting`: a mail was refused, and the sender may send again. */
  readonly refused: boolean;
  readonly context: Context;
}

/** The row of a state; `undefined` when the test does not exist, not yet or no more. */
export function toRow({ value, context }: TestState, seq: number): Row | undefined {
  if (value === 'unknown' || value === 'expired') return undefined;
  const waiting = typeof value === 'object';
  return {
    seq,
    status: waiting ? 'waiting' : value,
    refused: waiting && value.waiting === 'refused',
    context,
  };
}

const resolve = (value: TestState['value']) =>
  deliveryTest.resolveState({ value, context: fold([]).context });

/** States differ in their context alone: making one from the machine costs ten times a copy. */
const states: Readonly<Record<StatusName | 'refused', TestState>> = {
  waiting: resolve({ waiting: 'open' }),
  refused: resolve({ waiting: 'refused' }),
  processing: resolve('processing'),
  ready: resolve('ready'),
  rejected_or_not_received: resolve('rejected_or_not_received'),
  analysis_failed: resolve('analysis_failed'),
};

/** The state that a row stands for: `toRow` backwards. */
export function toState({ status, refused, context }: Row): TestState {
  return { ...states[refused ? 'refused' : status], context };
}
