/**
 * Writes a backup of the whole event log to a file, declares the lines of a backup, and finds damaged
 * histories in them.
 */

import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import { link, rename, rm } from 'node:fs/promises';
import type { Envelope } from '../../domain/envelope.ts';
import { createHistories } from '../../domain/history.ts';
import type { EventLog } from '../../ports/log.ts';
import type { Progress } from './progress.ts';
import { scanWhole } from './scan.ts';
import type { Source } from './source.ts';

/** An event with its position, or a claim. */
export interface Line {
  readonly stream: string;
  readonly id: string;
  readonly seq: number;
  readonly time: number;
  /** Sequence number of the subject's previous event. */
  readonly after?: number | undefined;
  /** Null for a message that is not an event. */
  readonly event: unknown;
}

export type Logs = Pick<Source, 'tests' | 'reports' | 'payments' | 'allClaims'>;

/**
 * Number of characters that are written at once. The log waits in the meantime, so that no more than this is
 * kept in memory.
 */
const CHUNK = 1024 * 1024;

/**
 * Marks the last line of a backup, which contains the SHA-256 of all lines before it. A truncated copy lacks
 * that line.
 */
export const END = 'end';

interface BackUpOptions {
  readonly path: string;
  /** True if an existing file may be replaced. */
  readonly replace: boolean;
  readonly progress: Progress;
}

/**
 * Runs `replay backup`, which writes the whole log to a file that only its owner can read. The file appears
 * only once it is complete.
 *
 * @throws with the code EEXIST if the file exists and may not be replaced
 */
export async function backUp(logs: Logs, { path, replace, progress }: BackUpOptions) {
  const draft = `${path}.new`;
  const file = openSync(draft, 'w', 0o600);
  const hash = createHash('sha256');
  const read = historiesOfLines();
  let events = 0;
  let chunk = '';
  const write = (line: object) => {
    chunk += `${JSON.stringify(line)}\n`;
    if (chunk.length >= CHUNK) flush();
  };
  function flush(): void {
    writeFileSync(file, chunk);
    hash.update(chunk);
    chunk = '';
  }
  try {
    const writeEvent = (line: Line) => {
      events++;
      read.add(line);
      write(line);
    };
    await writeLog('tests', logs.tests, progress, writeEvent);
    await writeLog('reports', logs.reports, progress, writeEvent);
    await writeLog('payments', logs.payments, progress, writeEvent);
    const claims = await logs.allClaims.all();
    for (const [id, event] of claims) write({ stream: 'claims', id, seq: 0, time: 0, event });
    flush();
    write({ stream: END, id: hash.digest('hex'), seq: 0, time: 0, event: null });
    writeFileSync(file, chunk);
    fsyncSync(file);
    await (replace ? rename : moveToFree)(draft, path);
    return { events, claims: claims.size, damaged: read.damaged().length };
  } finally {
    closeSync(file);
  }
}

/**
 * Moves the finished draft to its path. Never replaces a file, not even one that appeared in the meantime.
 */
async function moveToFree(draft: string, path: string): Promise<void> {
  await link(draft, path).finally(() => rm(draft));
}

/** Writes one line per message in the order of the log, including messages that are not events. */
async function writeLog<E>(
  stream: string,
  log: EventLog<E>,
  progress: Progress,
  write: (line: Line) => void,
): Promise<void> {
  const writeFault = (id: string, seq: number) => write({ stream, id, seq, time: 0, event: null });
  const unread = await scanWhole(log, {
    ...{ name: stream, progress },
    onEvent: ({ id, seq, time, after, event }) => write({ stream, id, seq, time, after, event }),
    onPoison: ({ id, seq }) => writeFault(id, seq),
  });
  // The damage is written too. Otherwise, a history that lacks its end would look like a complete one.
  for (const id of unread) {
    const { damage } = await log.readRemains(id);
    if (damage) writeFault(id, damage.seq);
  }
}

/**
 * Reads the histories of tests and payments line by line. An older report of a test may have been erased.
 */
export function historiesOfLines() {
  const histories = createHistories();
  return {
    add({ stream, id, seq, after, event }: Line): void {
      if (stream !== 'tests' && stream !== 'payments') return;
      const fault = event === null ? ('unreadable' as const) : undefined;
      histories.add(`${stream}.${id}`, { seq, after, fault, type: typeOf(event) });
    },
    damaged: histories.damaged,
  };
}

const typeOf = (event: unknown) => (event as Partial<Envelope> | null)?.type;
