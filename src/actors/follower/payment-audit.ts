import { setTimeout as sleep } from 'node:timers/promises';
import { type Chain, EMPTY, extend } from '../../domain/chain.ts';
import type { PaymentEvent } from '../../domain/payment-events.ts';
import type { EventLog, Poison, Recorded } from '../../ports/log.ts';
import type { Logger } from '../../telemetry/logger.ts';

/** Messages read in a row, and the pause after them, in milliseconds: a ledger of years is read besides all else. */
const SOME = 10_000;
const PAUSE_MS = 5000;

/** Between two audits, in milliseconds. */
const AGAIN_MS = 21_600_000;

/** After one that the log did not let through. */
const RETRY_MS = 10_000;

interface Ports {
  readonly log: Pick<EventLog<PaymentEvent>, 'follow' | 'counts'>;
  /** Something about a payment is not as it should be: only a read at the leader decides. */
  readonly suspect: (id: string, seq: number) => void;
  readonly logger: Logger;
}

/** What an audit knows of one payment. */
interface Read {
  readonly chain: Chain;
  readonly messages: number;
}

/**
 * Reads all payments there are, again and again. A replica follows them from its low-water mark alone, and what a
 * disk loses before that would be seen by nobody until the buyer comes back.
 */
export function startPaymentAudit({ log, suspect, logger }: Ports) {
  const stopping = new AbortController();
  const { signal } = stopping;

  /** @param whole also those that are over, to be counted; else their number does not matter */
  async function readAll(whole: boolean) {
    const read = new Map<string, Read>();
    let [end, hasGaps] = [0, false];
    function note(one: Recorded<PaymentEvent> | Poison): void {
      const { id, seq } = one;
      if (seq <= end) return;
      // Nothing is ever removed: what is not delivered is missing, or cannot be read.
      hasGaps ||= seq !== end + 1;
      end = seq;
      const { chain, messages } = read.get(id) ?? { chain: EMPTY, messages: 0 };
      const type = 'event' in one ? one.event.type : undefined;
      const link = 'event' in one ? { seq, after: one.after, type } : { seq, fault: one.fault };
      const now = extend(chain, link);
      if (now.damage && !chain.damage) suspect(id, now.damage.seq);
      if (type === 'PaymentSettled' && !whole) read.delete(id);
      else read.set(id, { chain: now, messages: messages + 1 });
    }
    for (let isOver = false; !isOver; ) {
      const until = end + SOME;
      const reached = Promise.withResolvers<boolean>();
      const onEvent = (one: Recorded<PaymentEvent> | Poison) => {
        note(one);
        if (end >= until) reached.resolve(false);
      };
      const following = log.follow({ from: { seq: end + 1 }, onEvent, onPoison: onEvent });
      const stopped = () => reached.resolve(true);
      signal.addEventListener('abort', stopped);
      isOver = await Promise.race([reached.promise, following.ready.then(() => true)]);
      signal.removeEventListener('abort', stopped);
      await following.stop();
      if (!isOver) await sleep(PAUSE_MS, undefined, { signal });
    }
    return { read, hasGaps };
  }

  async function audit(): Promise<void> {
    const { hasGaps } = await readAll(false);
    if (!hasGaps || signal.aborted) return;
    // Taken first: what comes in meanwhile is read, and not missing.
    const counts = await log.counts();
    const { read } = await readAll(true);
    if (signal.aborted) return;
    for (const [id, messages] of counts) {
      const known = read.get(id);
      if (messages > (known?.messages ?? 0)) suspect(id, known?.chain.seq ?? 0);
    }
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const pause = await audit().then(
        () => AGAIN_MS,
        (err: unknown) => {
          if (!signal.aborted) logger.warn({ err }, 'payments could not be audited');
          return RETRY_MS;
        },
      );
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  }
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
