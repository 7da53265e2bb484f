import { isReportWritten, isTestEvent } from '../../src/domain/events.ts';
import { describeLives } from '../contracts/lives.ts';
import { memoryProjection } from '../support/memory-kv.ts';
import { memoryLog } from '../support/memory-log.ts';

describeLives('in memory', async () => ({
  tests: memoryLog({ isEvent: isTestEvent }),
  reports: memoryLog({ isEvent: isReportWritten }),
  statusViews: memoryProjection(),
  reportViews: memoryProjection(),
  end: async () => {},
}));
