/**
 * Free on the disk before a server is started again, in bytes: each of six streams may begin or
 * rewrite a block of 8 MiB at once. With less it would soon be where it was.
 */
export const ROOM_BYTES = 64 * 2 ** 20;

/** Without an answer for this long, in milliseconds, a server that runs is taken for hung. */
const SILENT_MS = 30_000;

/** Longest pause between two starts, in milliseconds. */
const LONGEST_PAUSE_MS = 60_000;

/** What can be seen of a nats-server of our own, in bytes and milliseconds. */
export interface ServerFacts {
  readonly running: boolean;
  /** It has said that a write failed. */
  readonly storeFailed: boolean;
  /** Since it last answered; 0: it does. */
  readonly silentMs: number;
  /** On the disk of its store. */
  readonly freeBytes: number;
  /** Starts since it last was well for a while. */
  readonly attempts: number;
  /** Since the last of them. */
  readonly sinceStartMs: number;
}

export type ServerFault = 'ended' | 'store_failed' | 'silent';

/** What is wrong with the server; `undefined`: nothing, or nothing for long. */
export function faultOf({ running, storeFailed, silentMs }: ServerFacts): ServerFault | undefined {
  if (!running) return 'ended';
  if (storeFailed) return 'store_failed';
  return silentMs >= SILENT_MS ? 'silent' : undefined;
}

/** Milliseconds between one start and the next: none before the first, then 1 s doubling to 60 s. */
const pauseMs = (attempts: number): number =>
  attempts === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** (attempts - 1));

/**
 * Whether the server is to be started again now. Never on a full disk: it would stop storing with
 * its first write, and cannot even be given its configuration.
 */
export function decide(facts: ServerFacts): 'restart' | 'wait' {
  const { freeBytes, attempts, sinceStartMs } = facts;
  if (!faultOf(facts) || freeBytes < ROOM_BYTES) return 'wait';
  return sinceStartMs >= pauseMs(attempts) ? 'restart' : 'wait';
}
