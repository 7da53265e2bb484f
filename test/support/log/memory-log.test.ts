/** Runs the tests that every event log must pass on the event log in memory. */

import { isTestEvent } from '../../../src/domain/events.ts';
import { describeEventLog } from '../../contracts/event-log.ts';
import { memoryLog } from './memory-log.ts';

describeEventLog('in memory', async () => {
  const log = memoryLog({ isEvent: isTestEvent });
  return {
    log,
    putRaw: async (id, body) => void log.putRaw(id, body),
    async restart() {
      log.disconnect();
      log.reconnect();
    },
    goAway: async () => log.disconnect(),
    comeBack: async () => log.reconnect(),
    end: async () => {},
  };
});
