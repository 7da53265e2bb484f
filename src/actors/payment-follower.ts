import type { PaymentEvent } from '../domain/payment-events.ts';
import type { EventLog, Projection, Recorded } from '../ports.ts';
import { evolvePayment, type PaymentState, unpaidAfter } from '../projection/fold.ts';
import { LOW_WATER_KEY, type LowWater } from '../projection/low-water.ts';
import type { Logger, Metrics } from '../telemetry.ts';

/** How often the low-water mark is written, in milliseconds. It only shortens the next start. */
const MARK_MS = 3_600_000;

interface Ports {
  readonly log: EventLog<PaymentEvent>;
  readonly marks: Projection<LowWater>;
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
  /** Writes where the next start may begin. */
  writeMark(): Promise<void>;
  lag(): number;
  stop(): Promise<void>;
}

/** Follows the payments from the low-water mark, and keeps those that are being settled. */
export async function followPayments({
  log,
  marks,
  logger,
  metrics,
}: Ports): Promise<PaymentFollower> {
  const open = new Map<string, Open>();
  const mark = (await marks.get(LOW_WATER_KEY))?.seq ?? 1;
  let position = mark - 1;
  let caughtUp = false;

  function onEvent({ id, seq, event }: Recorded<PaymentEvent>): void {
    position = seq;
    const known = open.get(id);
    // One that is not open has paid, or its earlier attempts have failed; only the latter can start.
    const before = known?.state ?? unpaidAfter(event.data.attempt - 1);
    const state = evolvePayment(before, event);
    if (state === before) return;
    if (state.value !== 'settling') open.delete(id);
    else open.set(id, { startSeq: known?.startSeq ?? seq, state });
  }

  async function writeMark(): Promise<void> {
    // Before the catch-up an open payment may not be known yet.
    if (!caughtUp) return;
    const starts = [...open.values()].map(({ startSeq }) => startSeq);
    await marks.put(LOW_WATER_KEY, { seq: Math.min(position + 1, ...starts) });
  }

  const following = log.follow({
    from: { seq: mark },
    onEvent,
    onPoison({ id, seq }) {
      position = seq;
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
    writeMark,
    lag: () => following.lag(),
    async stop() {
      clearInterval(timer);
      await following.stop();
    },
  };
}
