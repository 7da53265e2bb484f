/**
 * Slows down and disconnects clients that guess recipients, and disconnects those that send commands but no
 * email.
 */

import { createRates } from '../../domain/fairness/rates.ts';
import type { ReplyName } from '../../domain/replies.ts';

/**
 * Maximum number of wasted recipients per connection, which is then closed. The first few get their reply at
 * once, because people mistype.
 */
const MAX_A_CONNECTION = 15;
const FREE = 2;

/**
 * Maximum number of commands on one connection without an email; sending an email takes eight. The lower
 * limit applies to a client whose other connections have too often reached the higher one.
 */
const MAX_COMMANDS = 100;
const FEW_COMMANDS = 20;

/** Limits per minute for one client and for its network: the same as those of the HTTP API. */
const LIMITS = { limits: [60, 240], windowMs: 60_000 };

const UNKNOWN: ReadonlySet<ReplyName> = new Set(['unknown_address', 'relaying', 'bad_recipient']);

type Path = readonly string[];

/**
 * Slows down and then disconnects clients that try one recipient after another, or begin emails endlessly.
 * Other clients may share their address: someone who only mistyped gets the same reply, whatever the
 * neighbours do.
 *
 * @param delayMs how much each wasted recipient adds to the wait for the reply
 */
export function createRecipientGuard(delayMs: number) {
  const recipients = createRates(LIMITS);
  const endings = createRates(LIMITS);
  return {
    isUnknown: (reply: ReplyName) => UNKNOWN.has(reply),
    /** Returns whether a connection has wasted too many recipients and has to end. */
    isSpent: (wasted: number) => wasted > MAX_A_CONNECTION,
    /**
     * Counts a wasted recipient for its client. Returns true if the client has had too many, on all of its
     * connections together.
     */
    isTooMany: ({ path, wasted }: { readonly path: Path; readonly wasted: number }, now: number) =>
      !recipients.take(path, now) && wasted > FREE,
    /**
     * Returns whether a connection has sent too many commands and has to end.
     *
     * @param commands number of commands on this connection without an email
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
