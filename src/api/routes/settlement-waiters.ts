/**
 * Lets requests that pay for a report wait until their settlement has ended, and limits how many may wait.
 */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networksOf } from '../../domain/fairness/networks.ts';
import { createShares } from '../../domain/fairness/shares.ts';
import type { ApiOptions } from '../options.ts';

/** Maximum number of requests that may wait at a time. They use at most a quarter of all connections. */
const MAX_WAITERS = 2500;

/**
 * Lets requests wait for the end of their settlement, as long as their connection is open and the service
 * keeps running. If too many wait, the request that has waited longest in the largest network stops waiting.
 */
export function settlementWaiters(
  app: FastifyInstance,
  { maxConnections = Number.POSITIVE_INFINITY }: Pick<ApiOptions, 'maxConnections'>,
) {
  const shares = createShares(Math.min(MAX_WAITERS, maxConnections / 4));
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });

  /** Runs work that may wait as long as `mayWait` returns true. */
  return async function wait<T>(
    { ip, raw }: FastifyRequest,
    work: (mayWait: () => boolean) => Promise<T>,
  ): Promise<T> {
    const since = performance.now();
    let hasPlace = true;
    const giveWay = () => {
      hasPlace = false;
    };
    const waiter = { path: networksOf(ip), progress: () => since, giveWay };
    if (!shares.claim(waiter)) giveWay();
    try {
      // A call from within the service has no connection that would show when its client disconnects, so it
      // does not wait. A client that has closed its side has probably left too.
      const isOpen = () => raw.socket.destroyed === false && !raw.socket.readableEnded;
      return await work(() => hasPlace && !isStopping && isOpen());
    } finally {
      shares.release(waiter);
    }
  };
}
