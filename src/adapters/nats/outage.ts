/**
 * Distinguishes outages of NATS from its responses, and repeats requests until there is a response, for a
 * limited time.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { JetStreamApiError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { ServiceError } from '../../domain/errors.ts';

/** Codes of the server's own errors that lead to a decision here. */
export const codes = {
  wrongLastSequence: 10071,
  /**
   * Like the previous code, but returned while another append is in progress: usually there is nothing to
   * read yet.
   */
  wrongLastSequenceUnknown: 10164,
  /** Returned if the stream has reached `max_bytes`, or the subject its maximum number of messages. */
  storeFailed: 10077,
  streamNameInUse: 10058,
  /** Returned, for example, if the stream's files exist but cannot be read. */
  notCreated: 10049,
  streamNotFound: 10059,
  noLeader: 10008,
  /**
   * Returned if there are too few nodes or too little storage for a stream. Also returned while another
   * replica creates the same stream, which then counts twice, and while the nodes of a cluster that has just
   * started do not know each other yet.
   */
  noRoom: [10005, 10047] as readonly number[],
  /**
   * Returned without a leader, while JetStream is not available, or with a full ingest queue: the message was
   * not stored.
   */
  transient: [10008, 10009, 10167] as readonly number[],
} as const;

/**
 * Maximum time, in milliseconds, that the service waits at startup for what it needs. A cluster has to elect
 * its leaders first.
 */
export const START_MS = 15_000;

/** How long a read may wait for a response, in milliseconds: longer than a restart of the server. */
const READ_MS = 3000;

/**
 * Returns the code of the server's own error, or `undefined` for anything that is not a response of the
 * server.
 */
export const codeOf = (error: unknown): number | undefined =>
  error instanceof JetStreamApiError ? error.code : undefined;

/** Returns whether the user lacks the permission. The client wraps this error as if nobody had responded. */
export const isForbidden = (error: unknown): boolean =>
  error instanceof errors.PermissionViolationError ||
  (error instanceof errors.RequestError && error.cause instanceof errors.PermissionViolationError);

/**
 * Returns whether nobody responded, so that nothing is known. Anything else is a defect or a wrong
 * configuration.
 */
export function isOutage(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) return codes.transient.includes(code) || codes.noRoom.includes(code);
  if (isForbidden(error)) return false;
  // Without a stream leader, nobody listens, which the client interprets as JetStream being switched off.
  if (error instanceof Error && error.cause instanceof errors.RequestError) return true;
  return [
    errors.TimeoutError,
    errors.RequestError,
    errors.NoRespondersError,
    errors.ConnectionError,
    errors.ClosedConnectionError,
    errors.DrainingConnectionError,
  ].some((kind) => error instanceof kind);
}

/**
 * Returns the milliseconds before the next attempt: 10, doubling up to 500, with random variation so that
 * competitors do not collide again.
 */
export const backoff = (attempt: number): number =>
  Math.min(500, 10 * 2 ** attempt) * (0.5 + Math.random());

/**
 * Asks until there is a response. Use it only for requests that may be made twice.
 *
 * @param onOutage receives each error that is not a response
 * @throws ServiceError `log_unavailable` after 3 s of outage
 */
export async function reach<T>(
  ask: () => Promise<T>,
  withinMs = READ_MS,
  onOutage?: (error: unknown) => void,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask();
    } catch (cause) {
      if (!isOutage(cause)) throw cause;
      onOutage?.(cause);
      const wait = backoff(attempt);
      if (performance.now() + wait >= deadline)
        throw new ServiceError('log_unavailable', { cause });
      await sleep(wait);
    }
  }
}

/**
 * Does the same as `reach`, for as long as an election of leaders takes.
 *
 * @throws an error that names what was waited for
 */
export async function reachAtStart<T>(
  what: string,
  ask: () => Promise<T>,
  onOutage?: (error: unknown) => void,
): Promise<T> {
  try {
    return await reach(ask, START_MS, onOutage);
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    const why = 'a leader is being elected, or too few nodes are available';
    throw new Error(`${what} did not answer for ${START_MS / 1000} s: ${why}`, { cause });
  }
}
