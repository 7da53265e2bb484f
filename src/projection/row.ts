/**
 * Declares the row that is kept in memory for each test, and converts it from and to the state of the
 * machine.
 */

import type { StateValueFrom } from 'xstate';
import { type Context, deliveryTest } from '../../machines/delivery-test.ts';
import { fold, type TestState } from './fold.ts';

/** The five states that the specification names. */
export type StatusName =
  | Exclude<Extract<StateValueFrom<typeof deliveryTest>, string>, 'unknown' | 'expired'>
  | 'waiting';

/** The part of each live test that is kept in memory: enough to respond, to decide and to fold further. */
export interface Row {
  /** Sequence number of the last event folded, which the next append expects. */
  readonly seq: number;
  readonly status: StatusName;
  /** True in `waiting` if an email was refused, so that the sender may send again. */
  readonly refused: boolean;
  readonly context: Context;
}

/** Returns the row for a state, or `undefined` if the test does not exist yet or no longer exists. */
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

/**
 * States by name, to be copied: states differ only in their context, and creating one with the machine
 * takes ten times as long as copying.
 */
const states: Readonly<Record<StatusName | 'refused', TestState>> = {
  waiting: resolve({ waiting: 'open' }),
  refused: resolve({ waiting: 'refused' }),
  processing: resolve('processing'),
  ready: resolve('ready'),
  rejected_or_not_received: resolve('rejected_or_not_received'),
  analysis_failed: resolve('analysis_failed'),
};

/** Returns the state that a row represents. This is the reverse of `toRow`. */
export function toState({ status, refused, context }: Row): TestState {
  return { ...states[refused ? 'refused' : status], context };
}
