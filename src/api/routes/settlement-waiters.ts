/** Keeps requests open until their settlement has ended, up to a limit. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networksOf } from '../../domain/fairness/networks.ts';
import { createShares } from '../../domain/fairness/shares.ts';
import type { ApiOptions } from '../options.ts';

/** Number of requests that may wait at a time, at most a quarter of all connections. */
const MAX_WAITERS = 2500;

/**
 * Lets requests wait for the end of their settlement, as long as their connection is open and the service
 * keeps running. If too many wait, the one in the largest network that has waited longest stops waiting.
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

  /** Runs work that may wait for as long as this is allowed. */
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
      // A call from within the service has no connection that could show that its client has disconnected.
      return await work(() => hasPlace && !isStopping && raw.socket.destroyed === false);
    } finally {
      shares.release(waiter);
    }
  };
}
