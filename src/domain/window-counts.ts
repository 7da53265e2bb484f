import { clientPrefixesOf } from './client-prefixes.ts';
import { setNewest } from './set-newest.ts';

interface Count {
  count: number;
  readonly since: number;
}

/**
 * Counts what clients do in windows of time, in each network they belong to. A network's count is
 * divided by its share, so that one limit holds for all levels. Remembers the latest `maxKeys`.
 */
export function createWindowCounts(maxKeys: number) {
  const counts = new Map<string, Count>();

  function add(key: string, windowMs: number, now: number, by: number): Count {
    const known = counts.get(key);
    const count = known && now - known.since < windowMs ? known : { count: 0, since: now };
    // What is given back may be of a window that is over.
    count.count = Math.max(0, count.count + by);
    // To the end: the longest unseen is first.
    setNewest(counts, key, count, maxKeys);
    return count;
  }

  return {
    /**
     * Counts for the client, and for a network around it as long as the client itself is within the
     * limit: what is refused to one is not held against its neighbours.
     *
     * @param purpose keeps counts of different things apart
     * @param now milliseconds of a clock that only goes forward
     * @param by 0: nothing is counted, and what was is given; below 0: so much is given back
     */
    add(
      { ip, purpose = '' }: { readonly ip: string; readonly purpose?: string },
      { limit, windowMs }: { readonly limit: number; readonly windowMs: number },
      now: number,
      by = 1,
    ): { readonly count: number; readonly remainingMs: number } {
      let most = { count: 0, remainingMs: windowMs };
      for (const { key, share } of clientPrefixesOf(ip)) {
        const { count, since } = add(`${key} ${purpose}`, windowMs, now, by);
        const level = { count: Math.ceil(count / share), remainingMs: windowMs - (now - since) };
        if (level.count > most.count) most = level;
        if (most.count > limit) break;
      }
      return most;
    },
  };
}
