/**
 * Checks whether the messages of one subject in the log are its whole history, without a gap or an unreadable
 * event, and tracks the histories of many subjects at once.
 */

import { isEnd } from './events.ts';

/**
 * Reasons why a message is not an event. `unreadable`: the bytes are not what was stored, or cannot be read
 * at all. `wrong`: the message can be read but is not an event of this or any other release. `newer`: this
 * release does not know the version or type.
 */
export type MessageFault = 'unreadable' | 'wrong' | 'newer';

/** A fault in a history, and the sequence number of the message where the fault shows. */
export interface Damage {
  /**
   * `hole`: messages are missing before `seq`. `tail`: the last messages of the history are missing, although
   * a bucket entry was derived from them.
   */
  readonly problem: 'hole' | 'tail' | MessageFault;
  readonly seq: number;
}

/** A message of one subject, reduced to its position in the history. */
export interface HistoryLink {
  readonly seq: number;
  /**
   * Sequence number of the subject's previous message, as the writer of this message expected it. Absent if
   * not recorded.
   */
  readonly after?: number | undefined;
  readonly fault?: MessageFault | undefined;
  /** Type of the event in the message. */
  readonly type?: string | undefined;
}

/** A history as far as it has been read. */
export interface History {
  /** Sequence number of the last message that was read. */
  readonly seq: number;
  readonly damage: Damage | undefined;
  readonly hasEnded: boolean;
}

export const EMPTY: History = { seq: 0, damage: undefined, hasEnded: false };

/** Returns whether an event of this type replaces everything before it. */
const replaces = (type: string | undefined) =>
  type === 'PaymentClosed' || type === 'HistoryRestored';

/**
 * Returns whether an event of this type needs no events before it, because it ends the test or replaces
 * everything before it.
 */
export const standsAlone = (type: string | undefined) => isEnd(type) || replaces(type);

/**
 * Adds a message to a history. This is the only rule for completeness: each message names the previous one,
 * so a lost message leaves a hole. Only the loss of the last messages does not show here. A test that has
 * ended is erased on purpose, so gaps in what remains of it are not damage.
 */
export function extend({ seq: last, damage, hasEnded }: History, link: HistoryLink): History {
  const { seq, after, fault, type } = link;
  if (hasEnded || standsAlone(type))
    return { seq, damage: undefined, hasEnded: hasEnded || isEnd(type) };
  const problem = fault ?? (after !== undefined && after !== last ? 'hole' : undefined);
  return { seq, damage: damage ?? (problem && { problem, seq }), hasEnded };
}

/** Returns why the messages are not the whole history of their subject, or `undefined` if they are. */
export const findDamage = (links: readonly HistoryLink[]): Damage | undefined =>
  links.reduce(extend, EMPTY).damage;

/** Tracks the histories of many subjects whose messages are read one by one. */
export function createHistories() {
  const histories = new Map<string, History>();
  return {
    add: (subject: string, link: HistoryLink): void =>
      void histories.set(subject, extend(histories.get(subject) ?? EMPTY, link)),
    /** Returns the sequence number of a subject's last message, or 0 if it has none. */
    endOf: (subject: string): number => histories.get(subject)?.seq ?? 0,
    damaged: (): readonly string[] =>
      [...histories].flatMap(([subject, { damage }]) => (damage ? subject : [])),
  };
}
