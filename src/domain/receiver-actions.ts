/**
 * Reads from `receiver-actions.json` what Gmail, Yahoo, Microsoft and Apple say that they do with email that
 * has a fault, and the range of scores for each kind of action.
 */

import table from './receiver-actions.json' with { type: 'json' };

/** The large mailbox providers that publish how they treat faulty email. */
export const RECEIVERS = ['gmail', 'yahoo', 'microsoft', 'apple'] as const;
export type LargeReceiver = (typeof RECEIVERS)[number];

/**
 * A way in which receivers treat an email, and the range of scores for such an email if nothing else is
 * wrong.
 */
export interface EffectLevel {
  readonly means: string;
  readonly scores: readonly [lowest: number, highest: number];
}

/** A fault for which receivers publish what they do about it. */
export interface ReceiverAction {
  readonly id: string;
  readonly when: string;
  readonly level: string;
  /** The check states that show this fault, written as `check/state`. */
  readonly states: readonly string[];
  /** The action that each receiver states. A receiver that is missing states none. */
  readonly says: Readonly<Partial<Record<LargeReceiver, string>>>;
}

/** The date of the newest document that the table is based on. */
export const ACTIONS_AS_OF = table.as_of;

export const ACTION_SOURCES: Readonly<Record<LargeReceiver, string>> = table.sources;

/** The effect levels by name, worst first. */
export const EFFECT_LEVELS = table.levels as unknown as Readonly<Record<string, EffectLevel>>;

/**
 * The faults for which receivers say that they reject, defer or mark email. The points that a finding costs
 * are based on this table.
 */
export const RECEIVER_ACTIONS: readonly ReceiverAction[] = table.rows;
