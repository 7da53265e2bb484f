import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from '../domain/describe-error.ts';

export type { Logger } from 'pino';

/** Lines are written together: so many bytes, or what there is after so many milliseconds. */
const BATCH_BYTES = 4096;
const BATCH_MS = 100;

/**
 * The service's log: JSON lines, a constant message and fields. Errors are cut to name, code and
 * stack without their messages' values: a library's text may quote what a sender wrote.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  const stdout = () =>
    pino.destination({ dest: 1, sync: false, minLength: BATCH_BYTES, periodicFlush: BATCH_MS });
  return pino(options, destination ?? stdout());
}
