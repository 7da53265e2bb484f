import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';

interface Count {
  current: number;
  /** By `performance.now()`. */
  readonly since: number;
}

/**
 * Counts requests by key and window, of the latest `keys` keys. Instead of the plugin's own store,
 * which measures by the wall clock: set back by an hour, that would shut a client out for an hour.
 */
export function rateStore(keys: number): FastifyRateLimitStoreCtor {
  return class RateStore implements FastifyRateLimitStore {
    private readonly counts = new Map<string, Count>();

    incr(
      key: string,
      done: (error: null, result: { current: number; ttl: number }) => void,
      timeWindow: number,
    ): void {
      const now = performance.now();
      const known = this.counts.get(key);
      const count = known && now - known.since < timeWindow ? known : { current: 0, since: now };
      count.current += 1;
      // To the end: the longest unseen is first.
      this.counts.delete(key);
      this.counts.set(key, count);
      const [oldest] = this.counts.keys();
      if (this.counts.size > keys && oldest !== undefined) this.counts.delete(oldest);
      done(null, { current: count.current, ttl: timeWindow - (now - count.since) });
    }

    child(): FastifyRateLimitStore {
      return new RateStore();
    }
  };
}
