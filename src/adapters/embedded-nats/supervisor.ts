import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { decide, ROOM_BYTES, type ServerFacts, type Trouble, troubleOf } from './recovery.ts';
import type { Logger } from './server-log.ts';
import { type EmbeddedNats, type EmbeddedNatsOptions, startEmbeddedNats } from './start.ts';

/** How often the server is looked at, in milliseconds. */
const LOOK_MS = 250;

/** A server that was well for this long, in milliseconds, has recovered: the pauses begin anew. */
const WELL_MS = 60_000;

interface Options {
  readonly server: EmbeddedNats;
  /** With which it was started. */
  readonly startedWith: EmbeddedNatsOptions;
  /** Whether it answers its clients. */
  readonly answers: () => boolean;
  readonly logger: Logger & { info(fields: object, message: string): void };
}

/** A nats-server that is looked after. */
export interface KeptNats {
  /** Whether it runs and stores what it is given. */
  isWell(): boolean;
  /** Ends the server. */
  stop(): Promise<void>;
}

/**
 * Starts a server again that has ended, hangs, or could not write: on its store, at its address, as
 * soon as its disk has room. What it has acknowledged is in the store; its clients reconnect.
 */
export function keepEmbeddedNats({
  server: first,
  startedWith,
  answers,
  logger,
}: Options): KeptNats {
  const cut = new AbortController();
  let server = first;
  let running = true;
  let startedAt = performance.now();
  let answeredAt = startedAt;
  let attempts = 0;
  let told:
    | { readonly trouble: Trouble; readonly full: boolean; readonly since: number }
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
      // A start is given as long as an answer.
      silentMs: now - Math.max(answeredAt, startedAt),
      freeBytes: await freeBytes(startedWith.dataDir),
      attempts,
      sinceStartMs: now - startedAt,
    };
  }

  function tell(facts: ServerFacts): void {
    const trouble = troubleOf(facts);
    const full = facts.freeBytes < ROOM_BYTES;
    const since = told?.since ?? performance.now();
    if (trouble && (told?.trouble !== trouble || told.full !== full)) {
      logger.error(
        { trouble, free_bytes: facts.freeBytes, needed_bytes: ROOM_BYTES },
        full
          ? 'nothing can be recorded: the disk of DATA_DIR is full; make room, the rest is done here'
          : 'nothing can be recorded: nats-server is started again',
      );
      told = { trouble, full, since };
    }
    if (told && !trouble && answers()) {
      const seconds = Math.round((performance.now() - since) / 1000);
      logger.info({ after: told.trouble, seconds }, 'events can be recorded again');
      told = undefined;
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
      logger.error({ why }, 'nats-server does not start; it is tried again');
    }
  }

  async function keep(): Promise<void> {
    while (!cut.signal.aborted) {
      const facts = await look();
      tell(facts);
      if (decide(facts) === 'restart') await restart();
      else if (!troubleOf(facts) && facts.sinceStartMs > WELL_MS) attempts = 0;
      await sleep(LOOK_MS, undefined, { signal: cut.signal }).catch(() => {});
    }
  }

  watch(first);
  const keeping = keep();
  return {
    isWell: () => running && !server.storeFailed(),
    async stop() {
      cut.abort();
      await keeping;
      await server.stop();
    },
  };
}

/** What an ordinary user may still write there. A folder that cannot be read holds nobody up. */
async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
