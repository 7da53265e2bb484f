import type { SettlementResponse } from '../../domain/x402.ts';
import type { Clock } from '../../ports/ambient.ts';
import type { Claims } from '../../ports/log.ts';
import type { PaymentChain, Settlement } from '../../ports/payment.ts';
import type { Traces } from '../../ports/traces.ts';
import type { PaymentState } from '../../projection/fold.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { watchAbandoned } from './abandoned.ts';
import { settlerAnswers, type Terms } from './answers.ts';
import { openBudget } from './budget.ts';
import { inFlight } from './in-flight.ts';
import type { PaymentLedger } from './ledger.ts';
import type { PurchasePorts } from './purchase.ts';
import type { Timeouts } from './timeouts.ts';
import { openUnpaidShares } from './unpaid-shares.ts';

/** How a settlement stands after we worked on it. `open`: the chain has not decided. */
export type Resolution =
  | { readonly state: 'paid'; readonly receipt: SettlementResponse }
  | { readonly state: 'failed'; readonly reason: string }
  | { readonly state: 'open' };

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

/** What every step of the order of work has at hand. */
export const openContext = (ports: SettlerPorts) => ({
  ...ports,
  answers: settlerAnswers(ports.terms, ports.clock),
  jobs: inFlight<JobResult>(),
  budget: openBudget(() => performance.now()),
  shares: openUnpaidShares(() => performance.now()),
  watch: watchAbandoned(ports.clock, ports.timeouts),
});

export type SettlementContext = ReturnType<typeof openContext>;
