/**
 * Watches our own nats-server, and restarts it if it ends, hangs or cannot write to its store, as soon as the
 * disk has room.
 */

import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './server-log.ts';
import { type EmbeddedNats, type EmbeddedNatsOptions, startEmbeddedNats } from './start.ts';

/** How often the server is checked, in milliseconds. */
const LOOK_MS = 250;

/**
 * A server that has worked for this long, in milliseconds, has recovered. The next pauses between restarts
 * begin at zero again.
 */
const WELL_MS = 60_000;

interface Options {
  readonly server: EmbeddedNats;
  /** The options with which the server was started. */
  readonly startedWith: EmbeddedNatsOptions;
  /** Returns whether the server responds to its clients. */
  readonly answers: () => boolean;
  readonly logger: Logger & { info(fields: object, message: string): void };
}

/** A nats-server under supervision. */
export interface SupervisedNats {
  /** Returns whether the server runs and stores the data that it receives. */
  isWell(): boolean;
  /** Ends the server. */
  stop(): Promise<void>;
}

/**
 * Restarts a server that has ended, hangs, or could not write: on the same store and at the same address, as
 * soon as its disk has room. Everything that it has acknowledged is in the store, and its clients reconnect.
 */
export function superviseEmbeddedNats({
  server: first,
  startedWith,
  answers,
  logger,
}: Options): SupervisedNats {
  const cut = new AbortController();
  let server = first;
  let running = true;
  let startedAt = performance.now();
  let answeredAt = startedAt;
  let attempts = 0;
  let reported:
    | { readonly fault: ServerFault; readonly full: boolean; readonly since: number }
    | undefined;

  function watch(started: EmbeddedNats): void {
    server = started;
    running = true;
    void started.ended.then(() => {
      if (server === started) running = false;
    });
  }

  async function look(): Promise<ServerFacts> {
    const now = performance.now();
    if (answers()) answeredAt = now;
    return {
      running,
      storeFailed: server.storeFailed(),
      // Silence is counted from the last start at the earliest, so that a start may take as long as a
      // response.
      silentMs: now - Math.max(answeredAt, startedAt),
      freeBytes: await freeBytes(startedWith.dataDir),
      attempts,
      sinceStartMs: now - startedAt,
    };
  }

  function report(facts: ServerFacts): void {
    const fault = faultOf(facts);
    const full = facts.freeBytes < ROOM_BYTES;
    const since = reported?.since ?? performance.now();
    if (fault && (reported?.fault !== fault || reported.full !== full)) {
      logger.error(
        { fault, free_bytes: facts.freeBytes, needed_bytes: ROOM_BYTES },
        full
          ? 'nothing can be recorded: the disk of DATA_DIR is full; free space there, and recording resumes on its own'
          : 'nothing can be recorded: nats-server is being restarted',
      );
      reported = { fault, full, since };
    }
    if (reported && !fault && answers()) {
      const seconds = Math.round((performance.now() - since) / 1000);
      logger.info({ after: reported.fault, seconds }, 'events can be recorded again');
      reported = undefined;
    }
  }

  async function restart(): Promise<void> {
    attempts += 1;
    startedAt = performance.now();
    try {
      await server.stop();
      watch(await startEmbeddedNats({ ...startedWith, successorOf: first }));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      logger.error({ why }, 'nats-server does not start; trying again');
    }
  }

  async function supervise(): Promise<void> {
    while (!cut.signal.aborted) {
      const facts = await look();
      report(facts);
      if (decide(facts) === 'restart') await restart();
      else if (!faultOf(facts) && facts.sinceStartMs > WELL_MS) attempts = 0;
      await sleep(LOOK_MS, undefined, { signal: cut.signal }).catch(() => {});
    }
  }

  watch(first);
  const supervising = supervise();
  return {
    isWell: () => running && !server.storeFailed(),
    async stop() {
      cut.abort();
      await supervising;
      await server.stop();
    },
  };
}

/**
 * Returns how many bytes an ordinary user may still write to the disk of this folder. For a folder that
 * cannot be read, it returns infinity, so that nothing waits for disk space.
 */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * Free disk space needed before a server is restarted, in bytes: each of six streams may begin or rewrite a
 * block of 8 MiB at once. With less space, the server would soon fail again.
 */
export const ROOM_BYTES = 64 * 2 ** 20;

/** A running server that has not responded for this long, in milliseconds, is considered hung. */
const SILENT_MS = 30_000;

/** Longest pause between two starts, in milliseconds. */
const LONGEST_PAUSE_MS = 60_000;

/** Facts about our own nats-server that decide whether to restart it, in bytes and milliseconds. */
export interface ServerFacts {
  readonly running: boolean;
  /** True if the server has reported a failed write. */
  readonly storeFailed: boolean;
  /** Time since the server last responded; 0 if it responds now. */
  readonly silentMs: number;
  /** Free space on the disk that contains the store. */
  readonly freeBytes: number;
  /** Number of starts since the server last worked for a while. */
  readonly attempts: number;
  /** Time since the last start. */
  readonly sinceStartMs: number;
}

type ServerFault = 'ended' | 'store_failed' | 'silent';

/** Returns what is wrong with the server, or `undefined` if it has no fault or only a short one. */
export function faultOf({ running, storeFailed, silentMs }: ServerFacts): ServerFault | undefined {
  if (!running) return 'ended';
  if (storeFailed) return 'store_failed';
  return silentMs >= SILENT_MS ? 'silent' : undefined;
}

/**
 * Returns the pause between two starts in milliseconds: none before the first, then 1 s, doubling up to 60 s.
 */
const pauseMs = (attempts: number): number =>
  attempts === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** (attempts - 1));

/**
 * Decides whether to restart the server now. It is never restarted on a full disk, where its first write
 * would fail and even its configuration could not be written.
 */
export function decide(facts: ServerFacts): 'restart' | 'wait' {
  const { freeBytes, attempts, sinceStartMs } = facts;
  if (!faultOf(facts) || freeBytes < ROOM_BYTES) return 'wait';
  return sinceStartMs >= pauseMs(attempts) ? 'restart' : 'wait';
}
