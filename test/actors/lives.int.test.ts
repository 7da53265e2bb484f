import { kvProjection } from '../../src/adapters/nats/projection.ts';
import { isStatusView } from '../../src/domain/status-view.ts';
import { isReportView } from '../../src/projection/report-view.ts';
import { describeLives } from '../contracts/lives.ts';
import { startLogs } from '../support/nats-log.ts';

describeLives('on a nats-server', async () => {
  const { connection, tests, reports, end } = await startLogs();
  return {
    tests,
    reports,
    statusViews: kvProjection(connection, { bucket: 'status', isValue: isStatusView }),
    reportViews: kvProjection(connection, { bucket: 'reports', isValue: isReportView }),
    end,
  };
});
