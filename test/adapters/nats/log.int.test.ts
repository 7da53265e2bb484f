import { expect, onTestFinished, test } from 'vitest';
import { describeEventLog } from '../../contracts/event-log.ts';
import { anEvent } from '../../support/log/events.ts';
import { startLogs } from '../../support/log/nats-log.ts';
import { TEST_ID } from '../../support/process/instants.ts';

describeEventLog('on a nats-server', async () => {
  const { connection, tests, ...rest } = await startLogs();
  return {
    log: tests,
    putRaw: async (id, body) => void (await connection.js.publish(`tests.${id}`, body)),
    ...rest,
  };
});

test('less than a millisecond is too short for an answer, and no defect', async () => {
  const { tests, end } = await startLogs();
  onTestFinished(end);
  expect(await tests.append(TEST_ID, anEvent('TestCreated'), 0, 0.9)).toEqual({
    outcome: 'unknown',
  });
});
