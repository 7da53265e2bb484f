import { LOW_WATER_KEY, type LowWater } from '../../domain/marks.ts';
import type { PaymentEvent } from '../../domain/payment-events.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { EventLog, Projection, Recorded } from '../../ports/log.ts';
import { evolvePayment, type PaymentState, unpaidAfter } from '../../projection/fold.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Metrics } from '../../telemetry/metrics.ts';

/**
 * Older payments are final on every chain, and were looked at by the replicas that ran then. In milliseconds;
 * it only matters for a log that is read from its beginning.
 */
const FINAL_MS = 86_400_000;

/** How often the low-water mark is written, in milliseconds. It only shortens the next start. */
const MARK_MS = 3_600_000;

interface Ports {
  readonly log: EventLog<PaymentEvent>;
  readonly marks: Projection<LowWater>;
  /** The end of the log at the start: a mark behind it is of a log that was lost. */
  readonly lastSeq?: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'poison'>;
}

interface Open {
  /** Where this settlement started. */
  readonly startSeq: number;
  readonly state: PaymentState;
}

export interface PaymentFollower {
  readonly ready: Promise<void>;
  caughtUp(): boolean;
  /** Payments in `settling`, by id. For looking around: money is decided by a read at the leader. */
  unresolved(): Iterable<readonly [string, PaymentState]>;
  /** Payments in `paid`, by id, that nobody here has seen in a final block yet. */
  unconfirmed(): Iterable<readonly [string, PaymentState]>;
  /** This one has been seen. */
  confirm(id: string): void;
  /** Writes where the next start may begin. */
  writeMark(): Promise<void>;
  /** Payments that hold a message which is no event. */
  frozen(): number;
  lag(): number;
  stop(): Promise<void>;
}

/** Follows the payments from the low-water mark, and keeps those that are not over yet. */
export async function followPayments({
  log,
  marks,
  lastSeq = Number.POSITIVE_INFINITY,
  clock,
  logger,
  metrics,
}: Ports): Promise<PaymentFollower> {
  const open = new Map<string, Open>();
  const paid = new Map<string, Open>();
  const frozen = new Set<string>();
  const known = (await marks.get(LOW_WATER_KEY))?.seq ?? 1;
  const mark = known > lastSeq + 1 ? 1 : known;
  let position = mark - 1;
  let caughtUp = false;

  function onEvent({ id, seq, event }: Recorded<PaymentEvent>): void {
    // Delivered again: it would begin again what has ended.
    if (seq <= position) return;
    position = seq;
    const known = open.get(id);
    // One that is not open has paid, or its earlier attempts have failed; only the latter can start.
    const before =
      known?.state ?? unpaidAfter('attempt' in event.data ? event.data.attempt - 1 : 0);
    const state = evolvePayment(before, event);
    if (state === before) return;
    const kept = { startSeq: known?.startSeq ?? seq, state };
    if (state.value === 'settling') open.set(id, kept);
    else open.delete(id);
    if (state.value === 'paid' && clock() - Date.parse(event.at) < FINAL_MS) paid.set(id, kept);
  }

  async function writeMark(): Promise<void> {
    // Before the catch-up an open payment may not be known yet.
    if (!caughtUp) return;
    let seq = position + 1;
    for (const { startSeq } of [...open.values(), ...paid.values()]) seq = Math.min(seq, startSeq);
    await marks.put(LOW_WATER_KEY, { seq });
  }

  const following = log.follow({
    from: { seq: mark },
    onEvent,
    onPoison({ id, seq }) {
      position = seq;
      frozen.add(id);
      metrics.poison.inc({ log: 'payments' });
      logger.error({ payment_id: id, seq }, 'message is no event');
    },
  });
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
    *unconfirmed() {
      for (const [id, { state }] of paid) yield [id, state] as const;
    },
    confirm: (id) => void paid.delete(id),
    writeMark,
    frozen: () => frozen.size,
    lag: () => following.lag(),
    async stop() {
      clearInterval(timer);
      await following.stop();
    },
  };
}
