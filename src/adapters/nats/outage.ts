import { setTimeout as sleep } from 'node:timers/promises';
import { JetStreamApiError } from '@nats-io/jetstream';
import { errors } from '@nats-io/transport-node';
import { ServiceError } from '../../domain/errors.ts';

/** Codes of the server's own errors, of those that decide something here. */
export const codes = {
  wrongLastSequence: 10071,
  /** As the former, with another append in flight: usually nothing to read yet. */
  wrongLastSequenceUnknown: 10164,
  /** `max_bytes` reached, or the messages a subject may have. */
  storeFailed: 10077,
  streamNameInUse: 10058,
  /** For example: there are files of it that cannot be read. */
  notCreated: 10049,
  streamNotFound: 10059,
  noLeader: 10008,
  /**
   * Too few nodes or too little storage for a stream; also while another replica makes the same stream, which counts
   * twice then, and while the nodes of a cluster that has just started do not know each other yet.
   */
  noRoom: [10005, 10047] as readonly number[],
  /** No leader, not available, or the ingest queue is full: not stored. */
  transient: [10008, 10009, 10167] as readonly number[],
} as const;

/** For what a start cannot do without, in milliseconds: a cluster elects its leaders first. */
export const START_MS = 15_000;

/** How long a read may look for an answer, in milliseconds: longer than a restart of the server. */
const READ_MS = 3000;

/** The server's own code; `undefined` for anything that is not its answer. */
export const codeOf = (error: unknown): number | undefined =>
  error instanceof JetStreamApiError ? error.code : undefined;

/** What the user may not do; the client wraps it as if nobody had answered. */
export const isForbidden = (error: unknown): boolean =>
  error instanceof errors.PermissionViolationError ||
  (error instanceof errors.RequestError && error.cause instanceof errors.PermissionViolationError);

/** Nobody answered, so that nothing is known; anything else is a defect or a misconfiguration. */
export function isOutage(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) return codes.transient.includes(code) || codes.noRoom.includes(code);
  if (isForbidden(error)) return false;
  // Without a stream leader nobody listens; the client takes that for JetStream being switched off.
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

/** Milliseconds before the next attempt: 10 doubling to 500, spread so that racers part. */
export const backoff = (attempt: number): number =>
  Math.min(500, 10 * 2 ** attempt) * (0.5 + Math.random());

/**
 * Asks until there is an answer. For what may be asked twice.
 *
 * @param onOutage is given each error that is no answer
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
 * As `reach`, for as long as an election of leaders takes.
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
    const why = 'a leader is being elected, or too few nodes are there';
    throw new Error(`${what} did not answer for ${START_MS / 1000} s: ${why}`, { cause });
  }
}
