/** Slows down and disconnects clients that guess recipients. */

import { createRates } from '../../domain/fairness/rates.ts';
import type { ReplyName } from '../../domain/replies.ts';

/**
 * Limit per connection, which is then closed. The first few get their reply at once, because people mistype.
 */
const MAX_A_CONNECTION = 15;
const FREE = 2;

/**
 * Number of commands on one connection without an email, which takes eight. The second limit is for a client
 * that sends too many.
 */
const MAX_COMMANDS = 100;
const FEW_COMMANDS = 20;

/** Limits per minute, of one client and of its network: as many as the HTTP API answers. */
const LIMITS = { limits: [60, 240], windowMs: 60_000 };

const UNKNOWN: ReadonlySet<ReplyName> = new Set(['unknown_address', 'relaying', 'bad_recipient']);

type Path = readonly string[];

/**
 * Slows down and then ends clients that try one recipient after another, or begin emails without end. Others
 * may share their address: someone who only mistyped gets the same reply whatever the neighbours do.
 *
 * @param delayMs how much each wasted recipient adds to the wait for the reply
 */
export function createRecipientGuard(delayMs: number) {
  const recipients = createRates(LIMITS);
  const endings = createRates(LIMITS);
  return {
    isUnknown: (reply: ReplyName) => UNKNOWN.has(reply),
    /** Returns whether the connection has to end. */
    isSpent: (wasted: number) => wasted > MAX_A_CONNECTION,
    /** Counts one for its client. Returns true if it has had too many, on any of its connections. */
    isTooMany: ({ path, wasted }: { readonly path: Path; readonly wasted: number }, now: number) =>
      !recipients.take(path, now) && wasted > FREE,
    /**
     * Returns whether the connection has to end.
     *
     * @param commands on this connection without an email
     */
    isIdle(commands: number, path: Path, now: number): boolean {
      if (commands <= FEW_COMMANDS) return false;
      if (commands > MAX_COMMANDS) endings.take(path, now);
      return commands > MAX_COMMANDS || endings.room(path, now) < 1;
    },
    /** Waits before the reply about an unknown recipient. */
    delay: (wasted: number) =>
      new Promise((resolve) => setTimeout(resolve, Math.max(0, wasted - FREE) * delayMs)),
  };
}
