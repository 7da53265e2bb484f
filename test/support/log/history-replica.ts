/** Runs one replica on given logs, for the tests of whole histories. */

import { randomUUID } from 'node:crypto';
import { followTests } from '../../../src/actors/follower/follower.ts';
import { followPayments } from '../../../src/actors/follower/payment-follower.ts';
import { startProjector } from '../../../src/actors/projector.ts';
import { startReconciler } from '../../../src/actors/reconciler.ts';
import { paymentLedger } from '../../../src/actors/settler/ledger.ts';
import { createSettler } from '../../../src/actors/settler/settler.ts';
import { TIMEOUTS } from '../../../src/actors/settler/timeouts.ts';
import { sampleReport } from '../../../src/analysis/sample.ts';
import { buildApp } from '../../../src/api/app.ts';
import type { ReportWritten, TestEvent } from '../../../src/domain/events.ts';
import type { LowWater } from '../../../src/domain/high-water-marks.ts';
import type { PaymentEvent } from '../../../src/domain/payment-events.ts';
import type { StatusView } from '../../../src/domain/status-view.ts';
import type { Claims, EventLog, Projection } from '../../../src/ports/log.ts';
import type { PaymentChain, SettlementJob } from '../../../src/ports/payment.ts';
import type { ReportView } from '../../../src/projection/views.ts';
import { reportLoader } from '../../../src/service/derived-state.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { payment, settings } from '../../api/harness.ts';
import { T0 } from '../process/instants.ts';
import { keptLogger } from '../process/silent-logger.ts';

/** The logs and buckets that a replica uses, over a connection of its own. */
export interface Logs {
  readonly tests: EventLog<TestEvent>;
  readonly reports: EventLog<ReportWritten>;
  readonly payments: EventLog<PaymentEvent>;
  readonly statusViews: Projection<StatusView>;
  readonly reportViews: Projection<ReportView>;
  readonly marks: Projection<LowWater>;
  readonly claims: Claims;
  close(): Promise<void>;
}

/** Always two minutes after `T0`, so that no deadline passes and no settlement is new. */
const clock = () => T0 + 120_000;

/** The writer of the models' events, and the replica that continues the work. */
const replica = 'replica-1';

/** The follower always watches, but a settlement is checked once, and nobody waits for it. */
const timeouts = {
  ...TIMEOUTS,
  ...{ tick: 5, firstLook: 0, join: 0 },
  ...{ nextLook: 3_600_000, lookAfterEnd: 3_600_000 },
};

/**
 * Starts everything that the service runs between its logs and its callers, and listens. Settlement is left
 * to the models: `chain` shows what they decided, and continuing a settlement reveals nothing.
 */
export async function startHistoryReplica({ marks, claims, ...logs }: Logs, chain: PaymentChain) {
  const { tests, reports, payments, statusViews, reportViews, close } = logs;
  const { logger } = keptLogger();
  const metrics = createMetrics();
  const common = { clock, logger, metrics };

  const follower = followTests({ log: tests, ...common, historyMs: clock() });
  const payers = await followPayments({ log: payments, marks, logger });
  const projector = startProjector({
    ...{ follower, reports, statusViews, reportViews, replica, clock, logger },
    random: () => 0,
    checkAfterMs: 0,
  });

  const resumed = new Map<string, SettlementJob['signed']>();
  const goOn = async ({ payment, signed }: SettlementJob) => {
    resumed.set(payment.authorization.nonce, signed);
    return { kind: 'unknown' as const, reason: 'nobody knows' };
  };
  const settler = createSettler({
    ledger: paymentLedger({ payments, clock, newId: randomUUID, replica }),
    settlement: {
      mode: 'self',
      ready: async () => {},
      settle: goOn,
    },
    ...{ chain, claims, replica, timeouts, ...common },
    terms: { settings: payment, baseUrl: settings().baseUrl },
    loadReport: reportLoader({ reports, reportViews }),
    isThere: async (testId) => (await follower.refresh(testId)) !== undefined,
    unresolved: () => [],
    canSell: () => true,
    sampleReport: () => sampleReport,
  });
  await Promise.all([follower.ready, payers.ready, projector.ready]);

  const looks: string[] = [];
  let rounds = 0;
  const reconciler = startReconciler({
    unresolved() {
      rounds++;
      return payers.unresolved();
    },
    async reconcile(id) {
      looks.push(id);
      await settler.reconcile(id);
    },
    ...{ clock, logger, timeouts },
    random: () => 0,
  });

  const app = await buildApp({
    settings: settings(),
    tests,
    rows: follower,
    onChange: () => {},
    settler,
    sampleReport,
    creation: { admit: () => null, room: () => 1 },
    readiness: () => ({ caught_up: follower.caughtUp() && payers.caughtUp() }),
    clock,
    random: (bytes) => crypto.getRandomValues(new Uint8Array(bytes)),
    logger,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });

  return {
    follower,
    payers,
    /** The signed transactions, by the nonce of the payment that was continued. */
    resumed,
    /** Resolves when every view is as new as the rows. */
    projected: () => projector.idle(),
    ask: (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers }),
    /** Returns which settlements were checked since the last call, after everything open was processed. */
    async lookedAt(): Promise<readonly string[]> {
      const until = rounds + 2;
      while (rounds < until) await new Promise((resolve) => setTimeout(resolve, 2));
      await settler.idle();
      return looks.splice(0);
    },
    async stop() {
      await app.close();
      reconciler.stop();
      await settler.idle();
      await projector.stop();
      await payers.stop();
      await follower.stop();
      await close();
    },
  };
}

export type HistoryReplica = Awaited<ReturnType<typeof startHistoryReplica>>;
