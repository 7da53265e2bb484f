import { isEnd } from './events.ts';

/** Why a message is no event: not one at all, or one of a version or type that this release does not know. */
export type MessageFault = 'unreadable' | 'newer';

/** What is wrong with a history, and the sequence of the message where it shows. */
export interface Damage {
  /** `tail`: its last messages are missing, though a view was made of them. */
  readonly problem: 'hole' | 'tail' | MessageFault;
  readonly seq: number;
}

/** A message of one subject, as far as its place in the history goes. */
interface Link {
  readonly seq: number;
  /** Sequence of the subject's message before it, as its writer expected it; absent: not recorded. */
  readonly after?: number | undefined;
  readonly fault?: MessageFault | undefined;
  /** Of its event. */
  readonly type?: string | undefined;
}

/**
 * Whether messages are the whole history of their subject. Each names the one before it, so a
 * message that was lost leaves a hole; only the loss of the last ones does not show here. A test
 * that has ended is erased on purpose: what is left of it has no holes. What was repaired counts from
 * its repair on.
 */
export function findDamage(links: readonly Link[]): Damage | undefined {
  if (links.some(({ type }) => isEnd(type))) return undefined;
  const restored = links.findLastIndex(({ type }) => type === 'HistoryRestored');
  let last = links[restored]?.seq ?? 0;
  for (const { seq, after, fault } of links.slice(restored + 1)) {
    if (fault) return { problem: fault, seq };
    if (after !== undefined && after !== last) return { problem: 'hole', seq };
    last = seq;
  }
  return undefined;
}
