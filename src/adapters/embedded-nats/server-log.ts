/**
 * Follows the log of our own nats-server: passes its lines on to our logger, keeps the last ones for errors,
 * and notices when the server is ready, cannot read its store or write to it, or runs out of memory.
 */

import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Number of lines kept for the error that is shown if the server ends before it is ready. */
const KEPT_LINES = 30;

/**
 * Time that the last lines of a server that has ended may take to come through the pipe, in milliseconds.
 */
const REST_MS = 500;

/**
 * After a failed write, for example on a full disk, a stream stores nothing until the server is restarted,
 * even if there is room again (2.15.1). The server says so once and leaves appends unanswered.
 */
const STORE_FAILED = /critical write error|will be DISABLED/i;

/** The Go runtime's message when it cannot get more memory. Hundreds of lines about its state follow. */
const OUT_OF_MEMORY = /out of memory|cannot allocate memory/i;

/** The server's message about a stream that needs another key, or a key while the server has none. */
const NEEDS_KEY = /Error decrypting .*(unable to recover keys|encryption not enabled)/;

/** Receives the server's own lines, such as a pino logger. */
export interface Logger {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Follows what nats-server writes: its last lines, and whether it has said that it is ready or cannot store.
 */
export function followServerLog(stderr: Readable, logger?: Logger) {
  const lines: string[] = [];
  let ready = false;
  let storeFailed = false;
  let outOfMemory = false;
  let needsKey = false;

  createInterface({ input: stderr }).on('line', (line) => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
    if (line.endsWith('Server is ready')) ready = true;
    if (STORE_FAILED.test(line)) storeFailed = true;
    if (OUT_OF_MEMORY.test(line)) outOfMemory = true;
    if (NEEDS_KEY.test(line)) needsKey = true;
    logger?.[levelOf(line)]({ line }, 'nats-server');
  });
  const tail = () => lines.join('\n');
  const rest = async () => {
    await Promise.race([finished(stderr).catch(() => {}), sleep(REST_MS)]);
    return tail();
  };
  return {
    isReady: () => ready,
    storeFailed: () => storeFailed,
    isOutOfMemory: () => outOfMemory,
    needsKey: () => needsKey,
    tail,
    rest,
  };
}

/** nats-server marks its lines with [DBG], [INF], [WRN], [ERR] or [FTL]. */
function levelOf(line: string): keyof Logger {
  const mark = /\[(WRN|ERR|FTL)\]/.exec(line)?.[1];
  if (!mark) return 'debug';
  return mark === 'WRN' ? 'warn' : 'error';
}
