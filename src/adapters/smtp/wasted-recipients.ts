import type { ReplyName } from '../../domain/replies.ts';
import { createWindowCounts } from '../../domain/window-counts.ts';

/** Clients remembered; beyond that the longest unseen is forgotten. */
const MAX_KEYS = 50_000;

/** Of one connection, then it is closed; and the first few are answered at once: people mistype. */
const MAX_A_CONNECTION = 15;
const FREE = 2;

/** Commands on one connection without a mail: a mail takes eight. */
const MAX_COMMANDS = 100;

/** Of one client in a minute: as many as the HTTP API answers. */
const LIMIT = { limit: 60, windowMs: 60_000 };

const UNKNOWN: ReadonlySet<ReplyName> = new Set(['unknown_address', 'relaying', 'bad_recipient']);

/**
 * Slows and then ends those that try one recipient after the other, or begin mails without end.
 *
 * @param delayMs what each wasted recipient adds to the wait for the reply
 */
export function createRecipientGuard(delayMs: number) {
  const counts = createWindowCounts(MAX_KEYS);
  return {
    isUnknown: (reply: ReplyName) => UNKNOWN.has(reply),
    /** Whether the connection has to end. */
    isSpent: (wasted: number) => wasted > MAX_A_CONNECTION,
    /** Counts one for its client; true: it has had too many, on whatever connections. */
    count: (ip: string | null, now: number) =>
      ip !== null && counts.add({ ip }, LIMIT, now).count > LIMIT.limit,
    /**
     * Whether the connection has to end: for its commands, or since others of its client have.
     *
     * @param commands on this connection, without a mail
     */
    isIdle(commands: number, ip: string | null, now: number): boolean {
      const ends = commands > MAX_COMMANDS;
      if (ip === null) return ends;
      const { count } = counts.add({ ip, purpose: 'commands' }, LIMIT, now, ends ? 1 : 0);
      return ends || count > LIMIT.limit;
    },
    /** Waits before the reply to the unknown recipient. */
    delay: (wasted: number) =>
      new Promise((resolve) => setTimeout(resolve, Math.max(0, wasted - FREE) * delayMs)),
  };
}
