import { LOW_WATER_KEY, type LowWater } from '../../domain/marks.ts';
import type { PaymentEvent } from '../../domain/payment-events.ts';
import type { EventLog, Poison, Projection, Recorded } from '../../ports/log.ts';
import {
  evolvePayment,
  foldPayment,
  type PaymentState,
  unpaidAfter,
} from '../../projection/fold.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { createDoubts } from './doubts.ts';

/** How often the low-water mark is written, in milliseconds. It only shortens the next start. */
const MARK_MS = 3_600_000;

interface Ports {
  readonly log: EventLog<PaymentEvent>;
  readonly marks: Projection<LowWater>;
  /** The end of the log at the start: a mark behind it is of a log that was lost. */
  readonly lastSeq?: number;
  readonly logger: Logger;
  /** Between two looks at what is damaged, in milliseconds. */
  readonly lookAgainMs?: number;
}

interface Known {
  /** Where this settlement started. */
  readonly startSeq: number;
  /** Of the last event that changed it. */
  readonly seq: number;
  readonly state: PaymentState;
}

export interface PaymentFollower {
  readonly ready: Promise<void>;
  caughtUp(): boolean;
  /** Payments in `settling`, by id. For looking around: money is decided by a read at the leader. */
  unresolved(): Iterable<readonly [string, PaymentState]>;
  /** Payments whose history is damaged: nothing is decided about them. */
  frozen(): number;
  /** Writes where the next start may begin. */
  writeMark(): Promise<void>;
  lag(): number;
  stop(): Promise<void>;
}

/** Follows the payments from the low-water mark, and keeps those that are not over yet. */
export async function followPayments(ports: Ports): Promise<PaymentFollower> {
  const { log, marks, lastSeq = Number.POSITIVE_INFINITY, logger } = ports;
  const open = new Map<string, Known>();
  /** Each with the message that made it one. */
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
    // Delivered again: it would begin again what has ended.
    if (seq <= position) return;
    position = seq;
    const before = open.get(id);
    // Written for a history that was damaged: only the whole of it says what it has changed.
    if (doubts.get(id) || (event.type === 'PaymentClosed' && !before)) {
      doubts.suspect(id, seq);
      return;
    }
    // A read at the leader has been here first.
    if (before && seq <= before.seq) return;
    // One that is not open has paid, or its earlier attempts have failed; only the latter can start.
    keep(id, step(before, recorded));
  }

  function keep(id: string, now: Known | undefined): void {
    if (!now) return;
    if (now.state.value === 'settling') open.set(id, now);
    else open.delete(id);
  }

  /** Reads the whole history at the leader: what is whole is known from then on, and what is not is frozen. */
  async function examine(id: string): Promise<void> {
    const doubt = doubts.get(id);
    // No answer says nothing: it is looked at again.
    const remains = await log.readRemains(id).catch(() => undefined);
    // What has come meanwhile is read by itself.
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
    // Before the catch-up an open payment may not be known yet.
    if (!caughtUp) return;
    let seq = position + 1;
    for (const { startSeq } of open.values()) seq = Math.min(seq, startSeq);
    // The next start has to know of it, too.
    for (const [, { known: at }] of doubts.all()) seq = Math.min(seq, at);
    await marks.put(LOW_WATER_KEY, { seq });
  }

  function onPoison({ id, seq, fault }: Poison): void {
    position = seq;
    logger.error({ payment_id: id, seq, fault }, 'message is no event');
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

/** What is known after one more event; `undefined`: the event changes nothing. */
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
