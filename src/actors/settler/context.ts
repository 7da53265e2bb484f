import { createRates } from '../../domain/fairness/rates.ts';
import type { SettlementResponse } from '../../domain/x402.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { Claims } from '../../ports/log.ts';
import type { PaymentChain, Settlement } from '../../ports/payment.ts';
import type { Traces } from '../../ports/traces.ts';
import type { PaymentState } from '../../projection/fold.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { settlerAnswers, type Terms } from './answers.ts';
import { openBudget } from './budget.ts';
import type { Account, PaymentLedger } from './ledger.ts';
import type { PurchasePorts } from './purchase.ts';
import type { Timeouts } from './timeouts.ts';
import { openUnpaidShares } from './unpaid-shares.ts';

/**
 * How a settlement stands after we worked on it. `open`: the chain has not decided; `isRefusedByCode`: and will
 * not move the money unless the payer's own code changes its mind.
 */
export type Resolution =
  | { readonly state: 'paid'; readonly receipt: SettlementResponse }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'open'; readonly isRefusedByCode?: true };

/** `lost`: another began a settlement for this report first; read the ledger again. */
export type JobResult = Resolution | { readonly state: 'lost' };

export const OPEN: Resolution = { state: 'open' };
export const LOST: JobResult = { state: 'lost' };

export interface SettlerPorts extends PurchasePorts {
  readonly ledger: PaymentLedger;
  readonly settlement: Settlement;
  readonly chain: PaymentChain;
  readonly claims: Claims;
  readonly clock: Clock;
  readonly replica: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly traces?: Traces | undefined;
  readonly timeouts: Timeouts;
  readonly terms: Terms;
  /** As last seen: token, gas, chain and clock. */
  readonly canSell: () => boolean;
  /** Payments in `settling` at any replica, as the follower knows them. */
  readonly unresolved: () => Iterable<readonly [string, PaymentState]>;
}

/** Looks at one open settlement for those who ask for its report: two a block. */
const LOOKS_AFTER = { limits: [2], windowMs: 2_000 };

/** What every step of the order of work has at hand. */
export const openContext = (ports: SettlerPorts) => ({
  ...ports,
  answers: settlerAnswers(ports.terms, ports.clock),
  jobs: inFlight<JobResult>(),
  budget: openBudget(() => performance.now()),
  shares: openUnpaidShares(() => performance.now()),
  looksAfter: createRates(LOOKS_AFTER),
  watch: watchAbandoned(ports.clock, ports.timeouts),
});

export type SettlementContext = ReturnType<typeof openContext>;

/**
 * Whether a settlement is left alone: nothing was recorded for so long. By the instant of its last
 * event, since the replica that wrote it may have died long before we look; and by how long we have seen
 * it stand still, since a clock that was set back would put that instant into the future.
 */
function watchAbandoned(clock: Clock, { abandoned }: Pick<Timeouts, 'abandoned'>) {
  const seen = new Map<string, { readonly seq: number; readonly since: number }>();
  return {
    isAbandoned({ id, seq, state }: Account): boolean {
      const now = performance.now();
      const last = seen.get(id);
      const since = last?.seq === seq ? last.since : now;
      seen.set(id, { seq, since });
      return now - since >= abandoned || clock() - Date.parse(state.context.at ?? '') >= abandoned;
    },
    /** It is decided. */
    forget: (id: string) => void seen.delete(id),
  };
}

/** Work on one payment that is under way in this process. */
interface Job<T> {
  /** What it is for: the payment that a request brought, or a settlement that was found open. */
  readonly payment: string | undefined;
  readonly done: Promise<T>;
}

/**
 * Jobs by payment id, one at a time each in this process. A job runs to its end even if the request
 * that began it has gone.
 */
function inFlight<T>() {
  const running = new Map<string, Job<T>>();

  return {
    of: (id: string) => running.get(id),

    /** Begins a job, in the same tick as the caller's check of `of`. */
    begin(id: string, payment: string | undefined, work: () => Promise<T>): Promise<T> {
      const done = work().finally(() => running.delete(id));
      running.set(id, { payment, done });
      // The caller may be gone: the end of a job is never an unhandled rejection.
      done.catch(() => undefined);
      return done;
    },

    /** Resolves when no job runs. */
    async idle(): Promise<void> {
      while (running.size > 0)
        await Promise.allSettled([...running.values()].map(({ done }) => done));
    },
  };
}
