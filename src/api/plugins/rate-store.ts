import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import { createWindowCounts } from '../../domain/window-counts.ts';

/**
 * Counts requests by key and window, of the latest `maxKeys` networks. Instead of the plugin's own
 * store, which measures by the wall clock: set back by an hour, that would shut a client out for an
 * hour. A key is the client's address, then a space and what else keeps counts apart.
 */
export function rateStore(maxKeys: number): FastifyRateLimitStoreCtor {
  return class RateStore implements FastifyRateLimitStore {
    private readonly counts = createWindowCounts(maxKeys);

    incr(
      key: string,
      done: (error: null, result: { current: number; ttl: number }) => void,
      windowMs: number,
      limit: number,
    ): void {
      const [ip = '', purpose = ''] = key.split(' ');
      const now = performance.now();
      const { count, remainingMs } = this.counts.add({ ip, purpose }, { limit, windowMs }, now);
      done(null, { current: count, ttl: remainingMs });
    }

    child(): FastifyRateLimitStore {
      return new RateStore();
    }
  };
}
