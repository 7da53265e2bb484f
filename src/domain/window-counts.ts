import { prefixesOf } from './client-prefixes.ts';

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

  function add(key: string, amount: number, windowMs: number, now: number): Count {
    const known = counts.get(key);
    const count = known && now - known.since < windowMs ? known : { count: 0, since: now };
    count.count += amount;
    // To the end: the longest unseen is first.
    counts.delete(key);
    counts.set(key, count);
    const [oldest] = counts.keys();
    if (counts.size > maxKeys && oldest !== undefined) counts.delete(oldest);
    return count;
  }

  return {
    /**
     * @param purpose keeps counts of different things apart
     * @param now milliseconds of a clock that only goes forward
     */
    add(
      { ip, purpose = '', amount = 1 }: { ip: string; purpose?: string; amount?: number },
      windowMs: number,
      now: number,
    ): { readonly count: number; readonly remainingMs: number } {
      return prefixesOf(ip)
        .map(({ key, share }) => {
          const { count, since } = add(`${key} ${purpose}`, amount, windowMs, now);
          return { count: Math.ceil(count / share), remainingMs: windowMs - (now - since) };
        })
        .reduce((most, level) => (level.count > most.count ? level : most));
    },
  };
}

export type WindowCounts = ReturnType<typeof createWindowCounts>;
