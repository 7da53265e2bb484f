import type { PaymentEventOf } from '../domain/payment-events.ts';
import type { PaymentChain } from '../ports/payment.ts';
import type { PaymentState } from '../projection/fold.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { paymentOf } from './settler/ledger.ts';
import type { Timeouts } from './settler/timeouts.ts';

interface Ports {
  /** Payments in `paid` that were not looked at yet, by id. */
  readonly unconfirmed: () => Iterable<readonly [string, PaymentState]>;
  /** This one needs no further look. */
  readonly confirm: (id: string) => void;
  readonly chain: PaymentChain;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'paymentsReorged'>;
  readonly timeouts: Pick<Timeouts, 'finality'>;
}

/**
 * Looks at every payment once more when its block is final. One that a reorganisation took away is
 * counted and logged, and its report stays readable: at this price no buyer waits for finality.
 */
export function startFinalityWatch(ports: Ports) {
  const { unconfirmed, confirm, chain, logger, metrics, timeouts } = ports;
  let running: Promise<void> = Promise.resolve();
  let stopped = false;

  async function look(id: string, state: PaymentState, finalized: number): Promise<void> {
    const settled = state.context.settled as PaymentEventOf<'PaymentSettled'>['data'];
    if (settled.block !== undefined && settled.block > finalized) return;
    const now = await chain.outcome(paymentOf(state), state.context.started?.from_block ?? 0);
    // Moved to a later block, or the facilitator did not name it: it has to become final there.
    if (now.state === 'settled' && now.block > finalized) return;
    if (now.state !== 'settled') {
      metrics.paymentsReorged.inc();
      const { transaction } = settled.receipt;
      logger.error({ payment_id: id, transaction, state: now.state }, 'payment vanished');
    }
    confirm(id);
  }

  async function round(): Promise<void> {
    const payments = [...unconfirmed()];
    if (payments.length === 0) return;
    const finalized = await chain.finalized();
    for (const [id, state] of payments) {
      if (stopped) return;
      await look(id, state, finalized);
    }
  }

  const timer = setInterval(() => {
    running = running
      .then(round)
      .catch((err: unknown) => logger.warn({ err }, 'finality not readable'));
  }, timeouts.finality);
  return {
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
