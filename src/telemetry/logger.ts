/**
 * Creates the service's logger, which never writes words from an email, and writes its remaining lines before
 * the process ends.
 */

import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from '../domain/describe-error.ts';

export type { Logger } from 'pino';

/** Log lines are written in batches: after this many bytes, or after this many milliseconds. */
const BATCH_BYTES = 4096;
const BATCH_MS = 100;

/**
 * Maximum number of bytes that are kept if nobody reads the log. Beyond that, lines are dropped so that they
 * do not fill the memory.
 */
const MAX_WAITING_BYTES = 16_777_216;

/**
 * Number of times that the end of the process checks whether the log was read, and the pause between two
 * checks in milliseconds.
 */
const LAST_LOOKS = 10;
const LOOK_MS = 100;

/**
 * Creates the service's log: JSON lines with a constant message and fields. Errors are reduced to name, code
 * and stack without the values in their messages, because a library's text may quote what a sender wrote.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  return pino(options, destination ?? stdout());
}

function stdout(): DestinationStream {
  const stream = pino.destination({
    dest: 1,
    sync: false,
    minLength: BATCH_BYTES,
    maxLength: MAX_WAITING_BYTES,
    periodicFlush: BATCH_MS,
  });
  // This is called at the exit and after a fatal line. If nobody reads the log any more, the library would
  // try for ever, so there is only one write.
  stream.flushSync = () => {
    Object.assign(stream, { sync: true });
    stream.flush();
    Object.assign(stream, { sync: false });
  };
  return stream;
}

/**
 * Writes the remaining lines before the process ends. If nobody reads the log any more, the process is
 * killed: the library would try for ever at the exit, and a write that waits in the kernel delays the exit.
 */
export async function flushLog(logger: Logger): Promise<void> {
  const flushed = () => new Promise<void>((resolve) => logger.flush(() => resolve()));
  let looks = 0;
  // Checks are counted instead of timed, because a machine may sleep: a write that happened in the meantime
  // is reported only after the first check.
  const timer = setInterval(() => {
    looks += 1;
    if (looks === LAST_LOOKS) process.kill(process.pid, 'SIGKILL');
  }, LOOK_MS);
  // The first flush may report a write that was in progress before the last lines came.
  await flushed();
  await flushed();
  clearInterval(timer);
}
