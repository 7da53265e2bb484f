import { isEnd } from './events.ts';

/**
 * Why a message is no event. `unreadable`: its bytes are not what was stored, or cannot be read at all.
 * `wrong`: it can be read, and is no event of this release or of any other. `newer`: its version or type is
 * one that this release does not know.
 */
export type MessageFault = 'unreadable' | 'wrong' | 'newer';

/** What is wrong with a history, and the sequence of the message where it shows. */
export interface Damage {
  /** `tail`: its last messages are missing, though a view was made of them. */
  readonly problem: 'hole' | 'tail' | MessageFault;
  readonly seq: number;
}

/** A message of one subject, as far as its place in the history goes. */
export interface Link {
  readonly seq: number;
  /** Sequence of the subject's message before it, as its writer expected it; absent: not recorded. */
  readonly after?: number | undefined;
  readonly fault?: MessageFault | undefined;
  /** Of its event. */
  readonly type?: string | undefined;
}

/** A history as far as it was read. */
export interface Chain {
  /** Of the last message. */
  readonly seq: number;
  readonly damage: Damage | undefined;
  readonly hasEnded: boolean;
}

export const EMPTY: Chain = { seq: 0, damage: undefined, hasEnded: false };

/** Whether an event of this type counts in place of everything before it. */
const replaces = (type: string | undefined) =>
  type === 'PaymentClosed' || type === 'HistoryRestored';

/** Whether what an event of this type stands for needs no events before it. */
export const standsAlone = (type: string | undefined) => isEnd(type) || replaces(type);

/**
 * The one rule for what is whole. Each message names the one before it, so a message that was lost leaves a
 * hole; only the loss of the last ones does not show here. A test that has ended is erased on purpose: what
 * is left of it has no holes.
 */
export function extend({ seq: last, damage, hasEnded }: Chain, link: Link): Chain {
  const { seq, after, fault, type } = link;
  if (hasEnded || standsAlone(type))
    return { seq, damage: undefined, hasEnded: hasEnded || isEnd(type) };
  const problem = fault ?? (after !== undefined && after !== last ? 'hole' : undefined);
  return { seq, damage: damage ?? (problem && { problem, seq }), hasEnded };
}

/** Why messages are not the whole history of their subject; `undefined`: they are. */
export const findDamage = (links: readonly Link[]): Damage | undefined =>
  links.reduce(extend, EMPTY).damage;

/** The histories of many subjects, read message by message. */
export function createChains() {
  const chains = new Map<string, Chain>();
  return {
    add: (subject: string, link: Link): void =>
      void chains.set(subject, extend(chains.get(subject) ?? EMPTY, link)),
    /** Sequence of the last message; 0: there is none. */
    endOf: (subject: string): number => chains.get(subject)?.seq ?? 0,
    damaged: (): readonly string[] =>
      [...chains].flatMap(([subject, { damage }]) => (damage ? subject : [])),
  };
}
