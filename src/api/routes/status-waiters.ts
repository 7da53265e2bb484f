import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createClientCounts } from '../../domain/client-prefixes.ts';
import type { Row } from '../../projection/row.ts';
import type { ApiOptions } from '../options.ts';

/** Longest wait, in seconds: many proxies give up after 60. */
const MAX_WAIT_SECONDS = 30;

/** Requests of one client that wait at a time; its wider networks have a multiple. */
const MAX_OF_CLIENT = 20;

/** Requests that wait at a time, about 10 KiB each. */
const MAX_WAITERS = 5000;

/** RFC 7240 §4.3: seconds that a client is ready to wait; 0: it did not ask to. */
export function waitSeconds({ headers }: FastifyRequest): number {
  const [, seconds] =
    /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:[;,]|$)/i.exec(String(headers.prefer)) ?? [];
  return Math.min(Number(seconds ?? 0), MAX_WAIT_SECONDS);
}

/** Requests that wait until something happens to a test, on whichever replica it was recorded. */
export function statusWaiters(app: FastifyInstance, { onChange }: Pick<ApiOptions, 'onChange'>) {
  const waiting = new Map<string, Map<() => void, number>>();
  const clients = createClientCounts(MAX_OF_CLIENT);
  let count = 0;

  onChange((testId, seq) => {
    for (const [release, known] of waiting.get(testId) ?? []) if (seq > known) release();
  });
  app.addHook('preClose', async () => {
    for (const releases of waiting.values()) for (const release of releases.keys()) release();
  });

  /**
   * Resolves at an event of the test later than its row, after the wait, when the client has gone or the service
   * stops. `undefined`: too many wait already, so this one is answered at once.
   */
  function wait(
    testId: string,
    { seq }: Pick<Row, 'seq'>,
    seconds: number,
    { ip }: FastifyRequest,
    { raw }: FastifyReply,
  ): Promise<void> | undefined {
    if (count >= MAX_WAITERS || clients.isFull(ip)) return undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const others = waiting.get(testId) ?? new Map();
    const release = () => {
      if (!others.delete(release)) return;
      if (others.size === 0) waiting.delete(testId);
      clearTimeout(timer);
      raw.off('close', release);
      clients.remove(ip);
      count--;
      resolve();
    };
    const timer = setTimeout(release, seconds * 1000);
    raw.once('close', release);
    clients.add(ip);
    count++;
    waiting.set(testId, others.set(release, seq));
    return promise;
  }

  return { wait };
}
