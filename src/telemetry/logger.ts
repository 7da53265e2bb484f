import { type DestinationStream, type Logger, pino } from 'pino';
import { describeError } from '../domain/describe-error.ts';

export type { Logger } from 'pino';

/** Lines are written together: so many bytes, or what there is after so many milliseconds. */
const BATCH_BYTES = 4096;
const BATCH_MS = 100;

/** Kept for a reader that does not read: what comes beyond it is lost, rather than the memory. */
const MAX_WAITING_BYTES = 16_777_216;

/** Looks at the end whether the log was read, and the time between two, in milliseconds. */
const LAST_LOOKS = 10;
const LOOK_MS = 100;

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
  // At the exit, and after a fatal line. The library's own tries for ever where nobody reads any more:
  // one write has to do.
  stream.flushSync = () => {
    Object.assign(stream, { sync: true });
    stream.flush();
    Object.assign(stream, { sync: false });
  };
  return stream;
}

/**
 * Writes what is left, before the process ends. Where nobody reads any more, the process ends here: at
 * the exit the library would try for ever, and a write that waits in the kernel holds the exit up.
 */
export async function flushLog(logger: Logger): Promise<void> {
  const flushed = () => new Promise<void>((resolve) => logger.flush(() => resolve()));
  let looks = 0;
  // Counted, since a machine may sleep: what was written meanwhile is heard of after the first.
  const timer = setInterval(() => {
    looks += 1;
    if (looks === LAST_LOOKS) process.kill(process.pid, 'SIGKILL');
  }, LOOK_MS);
  // The first may be told of a write that was under way before the last lines came.
  await flushed();
  await flushed();
  clearInterval(timer);
}
