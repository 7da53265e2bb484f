/** Lists what large receivers say that they do about faults in an email. */

import table from './receiver-actions.json' with { type: 'json' };

/** The large receivers that publish what they do. */
export const RECEIVERS = ['gmail', 'yahoo', 'microsoft', 'apple'] as const;
export type LargeReceiver = (typeof RECEIVERS)[number];

/** How receivers treat an email, and the scores that follow if nothing else is wrong. */
export interface EffectLevel {
  readonly means: string;
  readonly scores: readonly [lowest: number, highest: number];
}

/** A fault for which receivers publish what they do. */
export interface ReceiverAction {
  readonly id: string;
  readonly when: string;
  readonly level: string;
  /** The states of checks that show this fault, as `check/state`. */
  readonly states: readonly string[];
  /** The action that each receiver states. A receiver that is missing says nothing. */
  readonly says: Readonly<Partial<Record<LargeReceiver, string>>>;
}

/** The date of the newest document. */
export const ACTIONS_AS_OF = table.as_of;

export const ACTION_SOURCES: Readonly<Record<LargeReceiver, string>> = table.sources;

/** The levels by name, worst first. */
export const EFFECT_LEVELS = table.levels as unknown as Readonly<Record<string, EffectLevel>>;

/**
 * The faults for which receivers say that they reject, defer or mark email. The prices of findings follow
 * from it.
 */
export const RECEIVER_ACTIONS: readonly ReceiverAction[] = table.rows;
