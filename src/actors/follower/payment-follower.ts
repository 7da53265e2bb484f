/**
 * Follows the log of payments, keeps the settlements in progress in memory, and freezes payments whose
 * history is damaged. Records from which position the next start has to read.
 */

import { LOW_WATER_KEY, type LowWater } from '../../domain/high-water-marks.ts';
import type { PaymentEvent } from '../../domain/payment-events.ts';
import type { EventLog, Poison, Projection, Recorded } from '../../ports/log.ts';
import {
  evolvePayment,
  foldPayment,
  type PaymentState,
  unpaidAfter,
} from '../../projection/fold.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { createDoubts } from './unresolved-histories.ts';

/** How often the low-water mark is written, in milliseconds. The mark only shortens the next start. */
const MARK_MS = 3_600_000;

interface Ports {
  readonly log: EventLog<PaymentEvent>;
  readonly marks: Projection<LowWater>;
  /** The last sequence number of the log at the start. A mark beyond it belongs to a log that was lost. */
  readonly lastSeq?: number;
  readonly logger: Logger;
  /** Pause between two reads of damaged histories, in milliseconds. */
  readonly lookAgainMs?: number;
}

interface Known {
  /** Sequence number of the event that started this settlement. */
  readonly startSeq: number;
  /** Sequence number of the last event that changed this settlement. */
  readonly seq: number;
  readonly state: PaymentState;
}

export interface PaymentFollower {
  readonly ready: Promise<void>;
  caughtUp(): boolean;
  /**
   * Returns the payments in `settling`, by id. This is only an overview: decisions about money read the log
   * at the leader.
   */
  unresolved(): Iterable<readonly [string, PaymentState]>;
  /** Returns the number of payments whose history is damaged. Nothing is decided about them. */
  frozen(): number;
  /** Writes the position from which the next start may begin. */
  writeMark(): Promise<void>;
  lag(): number;
  stop(): Promise<void>;
}

/** Follows the payments from the low-water mark and keeps those that are not over yet. */
export async function followPayments(ports: Ports): Promise<PaymentFollower> {
  const { log, marks, lastSeq = Number.POSITIVE_INFINITY, logger } = ports;
  const open = new Map<string, Known>();
  /** Each entry contains the sequence number of the message that put the payment in doubt. */
  const doubts = createDoubts<number>({
    name: 'payment',
    wayOut: '`npm run operate -- replay close` says how it ends',
    ...{ examine, logger, everyMs: ports.lookAgainMs },
  });
  const known = (await marks.get(LOW_WATER_KEY))?.seq ?? 1;
  const mark = known > lastSeq + 1 ? 1 : known;
  let position = mark - 1;
  let caughtUp = false;

  function onEvent(recorded: Recorded<PaymentEvent>): void {
    const { id, seq, event } = recorded;
    // This event was delivered again, and would restart a settlement that has ended.
    if (seq <= position) return;
    position = seq;
    const before = open.get(id);
    // The event was written for a damaged history, so only the complete history says what the event has
    // changed.
    if (doubts.get(id) || (event.type === 'PaymentClosed' && !before)) {
      doubts.suspect(id, seq);
      return;
    }
    // A read at the leader has already brought a newer state.
    if (before && seq <= before.seq) return;
    // A payment that is not open was paid, or its earlier attempts failed. Only in the second case can it
    // start again.
    keep(id, step(before, recorded));
  }

  function keep(id: string, now: Known | undefined): void {
    if (!now) return;
    if (now.state.value === 'settling') open.set(id, now);
    else open.delete(id);
  }

  /**
   * Reads the whole history at the leader. From then on, a complete history is known and an incomplete one is
   * frozen.
   */
  async function examine(id: string): Promise<void> {
    const doubt = doubts.get(id);
    // A failed read proves nothing, so the history is read again later.
    const remains = await log.readRemains(id).catch(() => undefined);
    // If a new event came in the meantime, it starts a read of its own.
    if (!remains || !doubt || doubts.get(id) !== doubt) return;
    const { events, damage } = remains;
    open.delete(id);
    if (damage) {
      doubts.freeze(id, doubt.known, damage);
      return;
    }
    doubts.clear(id);
    let now: Known | undefined;
    for (const recorded of events) now = step(now, recorded, foldPayment([])) ?? now;
    keep(id, now);
  }

  async function writeMark(): Promise<void> {
    // Before the catch-up is complete, an open payment may be unknown.
    if (!caughtUp) return;
    let seq = position + 1;
    for (const { startSeq } of open.values()) seq = Math.min(seq, startSeq);
    // The mark must not pass a history in doubt, because the next start must also read that history.
    for (const [, { known: at }] of doubts.all()) seq = Math.min(seq, at);
    await marks.put(LOW_WATER_KEY, { seq });
  }

  function onPoison({ id, seq, fault }: Poison): void {
    position = seq;
    logger.error({ payment_id: id, seq, fault }, 'message is not an event');
    doubts.suspect(id, seq);
  }

  const following = log.follow({ from: { seq: mark }, onEvent, onPoison });
  const ready = following.ready.then(() => {
    caughtUp = true;
  });
  const timer = setInterval(() => {
    writeMark().catch((err: unknown) => logger.warn({ err }, 'low-water mark not written'));
  }, MARK_MS);

  return {
    ready,
    caughtUp: () => caughtUp,
    *unresolved() {
      for (const [id, { state }] of open) yield [id, state] as const;
    },
    frozen: () => doubts.frozen().length,
    writeMark,
    lag: () => following.lag(),
    async stop() {
      clearInterval(timer);
      doubts.stop();
      await following.stop();
    },
  };
}

/** Returns what is known after one more event, or `undefined` if the event changes nothing. */
function step(
  known: Known | undefined,
  { seq, event }: Recorded<PaymentEvent>,
  initial = unpaidAfter('attempt' in event.data ? event.data.attempt - 1 : 0),
): Known | undefined {
  const before = known?.state ?? initial;
  const state = evolvePayment(before, event);
  if (state === before) return undefined;
  const startSeq = known && before.value === 'settling' ? known.startSeq : seq;
  return { startSeq, seq, state };
}
