/**
 * Declares the dependencies of the settler, which sells reports, and opens what all steps of its work share,
 * such as its limits, the payments on which this process is working, and the detection of abandoned
 * settlements.
 */

import { createRates } from '../../domain/fairness/rates.ts';
import type { SettlementResponse } from '../../domain/x402.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { Claims } from '../../ports/log.ts';
import type { PaymentChain, Settlement } from '../../ports/payment.ts';
import type { Traces } from '../../ports/traces.ts';
import type { PaymentState } from '../../projection/fold.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { openBudget } from './budget.ts';
import { settlerErrors, type Terms } from './errors.ts';
import type { Account, PaymentLedger } from './ledger.ts';
import type { PurchasePorts } from './purchase.ts';
import type { Timeouts } from './timeouts.ts';
import { openUnpaidShares } from './unpaid-shares.ts';

/**
 * The state of a settlement after our work on it. `open` means that the chain has not decided. With
 * `isRefusedByCode`, it will not move the money unless the code of the payer's account changes its decision.
 */
export type Resolution =
  | { readonly state: 'paid'; readonly receipt: SettlementResponse }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'open'; readonly isRefusedByCode?: true };

/** `lost` means that another request began a settlement for this report first: read the ledger again. */
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
  /**
   * Returns whether sales were possible when the token, the gas, the chain and the clock were last checked.
   */
  readonly canSell: () => boolean;
  /** Returns the payments in `settling` at any replica, as the follower knows them. */
  readonly unresolved: () => Iterable<readonly [string, PaymentState]>;
}

/** Limits how often requests for a report may check its open settlement: two checks per block. */
const LOOKS_AFTER = { limits: [2], windowMs: 2_000 };

/** Opens everything that the steps of a paid read share. */
export const openContext = (ports: SettlerPorts) => ({
  ...ports,
  errors: settlerErrors(ports.terms, ports.clock),
  jobs: inFlight<JobResult>(),
  budget: openBudget(() => performance.now()),
  shares: openUnpaidShares(() => performance.now()),
  looksAfter: createRates(LOOKS_AFTER),
  watch: watchAbandoned(ports.clock, ports.timeouts),
});

export type SettlementContext = ReturnType<typeof openContext>;

/**
 * Detects abandoned settlements, for which nothing was recorded for too long. The time of the last event
 * counts, because the replica that wrote it may have died long before we look. The time for which we have
 * seen no change counts too, because after a clock was set back, that event would be in the future.
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
    /** Forgets a settlement that is decided. */
    forget: (id: string) => void seen.delete(id),
  };
}

/** Work on one payment that is in progress in this process. */
interface Job<T> {
  /** The payment that a request brought; `undefined` for a settlement that was found open. */
  readonly payment: string | undefined;
  readonly done: Promise<T>;
}

/**
 * Keeps the jobs of this process by payment id, at most one per payment. A job runs to its end even if the
 * request that began it has disconnected.
 */
function inFlight<T>() {
  const running = new Map<string, Job<T>>();

  return {
    of: (id: string) => running.get(id),

    /** Begins a job. Call it in the same tick in which `of` has returned no job for this id. */
    begin(id: string, payment: string | undefined, work: () => Promise<T>): Promise<T> {
      const done = work().finally(() => running.delete(id));
      running.set(id, { payment, done });
      // The caller may have disconnected, but a job's failure must never become an unhandled rejection.
      done.catch(() => undefined);
      return done;
    },

    /** Resolves when no job is running. */
    async idle(): Promise<void> {
      while (running.size > 0)
        await Promise.allSettled([...running.values()].map(({ done }) => done));
    },
  };
}
