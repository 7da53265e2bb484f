import { createRates } from '../../domain/fairness/rates.ts';
import type { ReplyName } from '../../domain/replies.ts';

/** Of one connection, then it is closed; and the first few are answered at once: people mistype. */
const MAX_A_CONNECTION = 15;
const FREE = 2;

/** Commands on one connection without a mail: a mail takes eight. And of a client that sends too many. */
const MAX_COMMANDS = 100;
const FEW_COMMANDS = 20;

/** Of one client in a minute, as many as the HTTP API answers, and of its network. */
const LIMITS = { limits: [60, 240], windowMs: 60_000 };

const UNKNOWN: ReadonlySet<ReplyName> = new Set(['unknown_address', 'relaying', 'bad_recipient']);

type Path = readonly string[];

/**
 * Slows and then ends those that try one recipient after the other, or begin mails without end. Others
 * may share their address: who only mistyped gets the same answer whatever its neighbours do.
 *
 * @param delayMs what each wasted recipient adds to the wait for the reply
 */
export function createRecipientGuard(delayMs: number) {
  const recipients = createRates(LIMITS);
  const endings = createRates(LIMITS);
  return {
    isUnknown: (reply: ReplyName) => UNKNOWN.has(reply),
    /** Whether the connection has to end. */
    isSpent: (wasted: number) => wasted > MAX_A_CONNECTION,
    /** Counts one for its client; true: it has had too many, on whatever connections. */
    isTooMany: ({ path, wasted }: { readonly path: Path; readonly wasted: number }, now: number) =>
      !recipients.take(path, now) && wasted > FREE,
    /**
     * Whether the connection has to end.
     *
     * @param commands on this connection, without a mail
     */
    isIdle(commands: number, path: Path, now: number): boolean {
      if (commands <= FEW_COMMANDS) return false;
      if (commands > MAX_COMMANDS) endings.take(path, now);
      return commands > MAX_COMMANDS || endings.room(path, now) < 1;
    },
    /** Waits before the reply to the unknown recipient. */
    delay: (wasted: number) =>
      new Promise((resolve) => setTimeout(resolve, Math.max(0, wasted - FREE) * delayMs)),
  };
}
