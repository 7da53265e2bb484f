import { describeEventLog } from '../../contracts/event-log.ts';
import { startLogs } from '../../support/nats-log.ts';

describeEventLog('on a nats-server', async () => {
  const { connection, tests, ...rest } = await startLogs();
  return {
    log: tests,
    putRaw: async (id, body) => void (await connection.js.publish(`tests.${id}`, body)),
    ...rest,
  };
});
