/**
 * Opens everything that is derived from the log (the rows of tests, the open payments and the buckets),
 * starts the actors that keep it up to date, and loads reports.
 */

import { startEraser } from '../actors/eraser.ts';
import { followTests } from '../actors/follower/follower.ts';
import { followPayments } from '../actors/follower/payment-follower.ts';
import { shareDamage } from '../actors/follower/share-damage.ts';
import { startProjector } from '../actors/projector.ts';
import { kvProjection } from '../adapters/nats/projection.ts';
import type { Config } from '../config/config.ts';
import { testDamaged } from '../domain/errors.ts';
import { isDamagedTests, isLowWater } from '../domain/high-water-marks.ts';
import type { Report } from '../domain/report/report.ts';
import { isStatusView } from '../domain/status-view.ts';
import type { Clock } from '../ports/ambient.ts';
import type { Projection } from '../ports/log.ts';
import type { Traces } from '../ports/traces.ts';
import { isReportView, type ReportView } from '../projection/views.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Log } from './log.ts';

interface Ports {
  readonly log: Pick<Log, 'connection' | 'tests' | 'reports' | 'payments' | 'paymentsEnd'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Shortest period of the log that is read at the start, in milliseconds. Data that an earlier run left behind
 * has to be found and erased.
 */
const LEAST_HISTORY_MS = 49 * 3_600_000;

/** How far back the rows begin, in milliseconds: twice the longest lifetime of a test. */
const historyMs = ({ receiveWindowSeconds, retentionSeconds }: Config['durations']) =>
  Math.max(LEAST_HISTORY_MS, 2 * (receiveWindowSeconds + retentionSeconds) * 1000);

interface Reports extends Pick<Log, 'reports'> {
  readonly reportViews: Projection<ReportView>;
}

/** Loads a report from its copy in the bucket, or from the log itself if there is no copy yet. */
export const reportLoader =
  ({ reports, reportViews }: Reports) =>
  async (testId: string, reportSeq: number): Promise<Report> => {
    const view = await reportViews.get(testId).catch(() => undefined);
    if (view?.seq === reportSeq) return view.report;
    const written = await reports.readAt(reportSeq);
    // Reports are loaded only while the test is ready, so this one was lost, not erased.
    if (written?.id !== testId) throw testDamaged();
    return written.event.data.report;
  };

/**
 * Opens everything derived from the log: rows and open payments in memory, and the entries in the buckets.
 */
export async function openDerivedState(
  config: Pick<Config, 'replicaId' | 'durations'>,
  { log, clock, logger }: Ports,
) {
  const { connection, tests, reports, payments } = log;
  const marks = kvProjection(connection, {
    ...{ bucket: 'marks', isValue: isLowWater },
    reaching: connection.reachAtStart,
  });
  const statusViews = kvProjection(connection, { bucket: 'status', isValue: isStatusView });
  const reportViews = kvProjection(connection, { bucket: 'reports', isValue: isReportView });
  const replica = config.replicaId;
  const random = Math.random;

  const follower = followTests({
    log: tests,
    clock,
    logger: logger.child({ actor: 'follower' }),
    historyMs: historyMs(config.durations),
  });
  const payers = await followPayments({
    log: payments,
    marks,
    lastSeq: log.paymentsEnd,
    logger: logger.child({ actor: 'payment-follower' }),
  });
  const sharing = shareDamage({
    ...{ follower, clock, logger },
    marks: kvProjection(connection, { bucket: 'marks', isValue: isDamagedTests }),
  });
  const eraser = startEraser({
    follower,
    tests,
    reports,
    reportViews,
    replica,
    logger: logger.child({ actor: 'eraser' }),
  });
  const projector = startProjector({
    follower,
    reports,
    statusViews,
    reportViews,
    clock,
    random,
    replica,
    logger: logger.child({ actor: 'projector' }),
  });

  return {
    follower,
    payers,
    loadReport: reportLoader({ reports, reportViews }),
    /**
     * Returns whether the leader of the log knows the test. @throws ServiceError `log_unavailable`,
     * `test_damaged`
     */
    isThere: async (testId: string) => (await follower.refresh(testId)) !== undefined,
    offerReport: projector.offerReport,
    makeRoom: eraser.makeRoom,
    eraseBacklog: eraser.backlog,
    ready: Promise.all([payers.ready, projector.ready]),
    async stop() {
      await projector.stop();
      await eraser.stop();
      sharing.stop();
      await payers.stop();
      await follower.stop();
    },
  };
}

export type DerivedState = Awaited<ReturnType<typeof openDerivedState>>;

/** Parts that both emails and payments need. */
export interface SharedParts {
  readonly log: Log;
  readonly derived: DerivedState;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly replica: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly traces?: Traces | undefined;
  readonly baseUrl: () => string;
}
