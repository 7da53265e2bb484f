import { isReportWritten, isTestEvent } from '../../../src/domain/events.ts';
import { isPaymentEvent } from '../../../src/domain/payment-events.ts';
import type { Logs } from './history-replica.ts';
import { memoryClaims, memoryProjection } from './memory-kv.ts';
import { memoryLog } from './memory-log.ts';

/** As `startNatsLives`, without a server. */
export async function startMemoryHistories() {
  const logs: Logs = {
    tests: memoryLog({ isEvent: isTestEvent }),
    reports: memoryLog({ isEvent: isReportWritten }),
    payments: memoryLog({ isEvent: isPaymentEvent }),
    statusViews: memoryProjection(),
    reportViews: memoryProjection(),
    marks: memoryProjection(),
    claims: memoryClaims(),
    close: async () => {},
  };
  return { open: async () => logs, end: async () => {} };
}
