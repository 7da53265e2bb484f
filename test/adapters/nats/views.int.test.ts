import { kvClaims } from '../../../src/adapters/nats/claims.ts';
import { kvProjection } from '../../../src/adapters/nats/projection.ts';
import { describeViews, isView } from '../../contracts/views.ts';
import { startLogs } from '../../support/log/nats-log.ts';

describeViews('on a nats-server', async () => {
  const { connection, ...rest } = await startLogs();
  return {
    views: kvProjection(connection, { bucket: 'status', isValue: isView }),
    claims: kvClaims(connection),
    ...rest,
  };
});
