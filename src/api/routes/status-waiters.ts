/**
 * Keeps status requests open until their test changes or their wait is over (long polling), and limits how
 * many may wait.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { networksOf } from '../../domain/fairness/networks.ts';
import { createShares } from '../../domain/fairness/shares.ts';
import type { Row } from '../../projection/row.ts';
import type { ApiOptions } from '../options.ts';

/** Maximum wait in seconds, because many proxies give up after 60. */
const MAX_WAIT_SECONDS = 30;

/**
 * Maximum number of requests that may wait at a time, which take about 10 KiB each. They use at most half of
 * all connections.
 */
const MAX_WAITERS = 5000;

/**
 * Returns the number of seconds that a client is willing to wait (RFC 7240 §4.3), or 0 if it did not ask to
 * wait.
 */
export function waitSeconds({ headers }: FastifyRequest): number {
  const [, seconds] =
    /(?:^|,)\s*wait\s*=\s*"?(\d+)"?\s*(?:[;,]|$)/i.exec(String(headers.prefer)) ?? [];
  return Math.min(Number(seconds ?? 0), MAX_WAIT_SECONDS);
}

/** Keeps the requests that wait for an event of a test, whichever replica records the event. */
export function statusWaiters(
  app: FastifyInstance,
  {
    onChange,
    maxConnections = Number.POSITIVE_INFINITY,
  }: Pick<ApiOptions, 'onChange' | 'maxConnections'>,
) {
  const waiting = new Map<string, Map<() => void, number>>();
  const shares = createShares(Math.min(MAX_WAITERS, maxConnections / 2));

  onChange((testId, seq) => {
    for (const [release, known] of waiting.get(testId) ?? []) if (seq > known) release();
  });
  app.addHook('preClose', async () => {
    for (const releases of waiting.values()) for (const release of releases.keys()) release();
  });

  /**
   * Resolves at an event of the test that is later than the given row, at the end of the wait, when the
   * client has disconnected or closed its side of the connection, or when the service stops. If too many
   * requests wait, the request that has waited longest in the largest network stops waiting.
   */
  function wait(
    testId: string,
    { seq }: Pick<Row, 'seq'>,
    seconds: number,
    { ip, raw: { socket } }: FastifyRequest,
    { raw }: FastifyReply,
  ): Promise<void> {
    const since = performance.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    const others = waiting.get(testId) ?? new Map();
    const release = () => {
      if (!others.delete(release)) return;
      if (others.size === 0) waiting.delete(testId);
      clearTimeout(timer);
      raw.off('close', release);
      socket.off('end', release);
      shares.release(waiter);
      resolve();
    };
    const timer = setTimeout(release, seconds * 1000);
    raw.once('close', release);
    // A client that has closed its side may still read the response.
    socket.once('end', release);
    waiting.set(testId, others.set(release, seq));
    const waiter = { path: networksOf(ip), progress: () => since, giveWay: release };
    if (!shares.claim(waiter) || socket.readableEnded) release();
    return promise;
  }

  return { wait };
}
