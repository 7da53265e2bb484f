import { isReportWritten, isTestEvent } from '../../domain/events.ts';
import { isPaymentEvent } from '../../domain/payment-events.ts';
import type { LogConnection } from './connection.ts';
import { jetStreamLog } from './log.ts';

/** The three logs of the service: the events of tests, their reports, and their payments. */
export const openLogs = (connection: LogConnection) => ({
  tests: jetStreamLog(connection, {
    stream: 'TESTS',
    subjectPrefix: 'tests',
    isEvent: isTestEvent,
  }),
  reports: jetStreamLog(connection, {
    stream: 'REPORTS',
    subjectPrefix: 'reports',
    isEvent: isReportWritten,
  }),
  payments: jetStreamLog(connection, {
    stream: 'PAYMENTS',
    subjectPrefix: 'payments',
    isEvent: isPaymentEvent,
  }),
});
