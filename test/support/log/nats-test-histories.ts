/** Starts a nats-server on which histories are played. Each replica has its own connection to it. */

import { kvClaims } from '../../../src/adapters/nats/claims.ts';
import { connectNats, type LogConnection } from '../../../src/adapters/nats/connection.ts';
import { openLogs } from '../../../src/adapters/nats/log.ts';
import { kvProjection } from '../../../src/adapters/nats/projection.ts';
import { isLowWater } from '../../../src/domain/high-water-marks.ts';
import { isStatusView } from '../../../src/domain/status-view.ts';
import { isReportView } from '../../../src/projection/views.ts';
import type { Logs } from './history-replica.ts';
import { startLogs } from './nats-log.ts';

/** Starts a server on which histories are played. Each replica has its own connection to it. */
export async function startNatsHistories() {
  const { server, end } = await startLogs();
  async function open(): Promise<Logs> {
    return logsOf(await connectNats({ url: server.url, name: 'test' }));
  }
  return { open, end };
}

/** Returns what a replica needs, over its connection. */
export const logsOf = (connection: LogConnection): Logs => ({
  ...openLogs(connection),
  statusViews: kvProjection(connection, { bucket: 'status', isValue: isStatusView }),
  reportViews: kvProjection(connection, { bucket: 'reports', isValue: isReportView }),
  marks: kvProjection(connection, { bucket: 'marks', isValue: isLowWater }),
  claims: kvClaims(connection),
  close: () => connection.close(),
});
