/**
 * Reads a whole event log, event by event, or up to the end that `--until` names, and finds messages that
 * cannot be read.
 */

import { ServiceError } from '../../domain/errors.ts';
import type { EventLog, FollowOptions, Poison, Recorded } from '../../ports/log.ts';
import { PATIENCE_MS } from './concurrently.ts';
import type { Progress } from './progress.ts';

/** Where reading ends: at a sequence number, or at a time in milliseconds since 1970. */
export type Until = { readonly seq: number } | { readonly time: number };

/**
 * Reads `--until`: a sequence number of the stream, or a time in RFC 3339. Returns `undefined` for anything
 * else.
 */
export function parseUntil(text: string): Until | undefined {
  if (/^\d{1,15}$/.test(text)) return { seq: Number(text) };
  const time = Date.parse(text);
  return /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(time) ? { time } : undefined;
}

/** Returns whether an event lies before the end or exactly at it. */
export function isUntil<E>({ seq, time }: Recorded<E>, until: Until | undefined): boolean {
  if (!until) return true;
  return 'seq' in until ? seq <= until.seq : time <= until.time;
}

interface Scan<E> extends Pick<FollowOptions<E>, 'from' | 'containing'> {
  readonly onEvent: (recorded: Recorded<E>) => void;
  readonly onPoison?: (poison: Poison) => void;
  readonly until?: Until | undefined;
  /** Called at every event, with the number of events read so far and in total. */
  readonly progress: Progress;
  /** The name of what is being read, for the progress. */
  readonly name: string;
  /** How long the log may be silent, in milliseconds. */
  readonly patienceMs?: number;
}

/**
 * Reads everything that is in a log now, event by event, because a log is larger than memory. What arrives in
 * the meantime may or may not be included.
 *
 * @throws what `onEvent` throws; ServiceError `log_unavailable` if nothing more comes
 */
export async function scan<E>(log: Pick<EventLog<E>, 'follow'>, options: Scan<E>): Promise<void> {
  const { from, containing, onEvent, onPoison, until, progress, name } = options;
  const { patienceMs = PATIENCE_MS } = options;
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  let read = 0;
  let isOver = false;
  const following = log.follow({
    ...(from && { from }),
    containing,
    onEvent(recorded) {
      if (isOver) return;
      if (!isUntil(recorded, until)) {
        // Times are not strictly ordered: they may go back a little when a stream changes its leader.
        isOver = until !== undefined && 'seq' in until;
        if (isOver) resolve();
        return;
      }
      try {
        onEvent(recorded);
      } catch (error) {
        isOver = true;
        reject(error);
      }
      read++;
      progress(name, read, () => read + following.lag());
    },
    onPoison: (poison) => {
      if (!isOver) onPoison?.(poison);
    },
  });
  // Messages that are skipped unread do not count as events, but they reduce what is left to read.
  let left = following.lag();
  const silence = setInterval(() => {
    if (following.lag() === left) reject(new ServiceError('log_unavailable'));
    left = following.lag();
  }, patienceMs);
  try {
    await Promise.race([following.ready, over]);
  } finally {
    clearInterval(silence);
    await following.stop();
  }
}

/**
 * Does the same as `scan`, and also finds out what the log lacks: a message that cannot be read from the disk
 * is not delivered at all.
 *
 * @returns the subjects for which fewer messages came than the server counts
 */
export async function scanWhole<E>(
  log: Pick<EventLog<E>, 'follow' | 'counts'>,
  options: Omit<Scan<E>, 'until'> & Pick<Required<Scan<E>>, 'onPoison'>,
): Promise<readonly string[]> {
  // The messages are counted first, so that one that arrives in the meantime does not appear to be missing.
  const unread = new Map(await log.counts());
  const note = ({ id }: { readonly id: string }) => void unread.set(id, (unread.get(id) ?? 0) - 1);
  await scan(log, {
    ...options,
    onEvent(recorded) {
      note(recorded);
      options.onEvent(recorded);
    },
    onPoison(poison) {
      note(poison);
      options.onPoison(poison);
    },
  });
  return [...unread].flatMap(([id, left]) => (left > 0 ? [id] : []));
}
