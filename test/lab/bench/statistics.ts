/**
 * Computes medians, quantiles and ratios of benchmark results, and measures two sides alternately.
 */

/** Returns the smallest of the values that at least this share of them does not exceed. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Our value and its yardstick's, measured side by side. */
export interface Pair<T = number> {
  readonly ours: T;
  readonly yardstick: T;
}

/**
 * Returns the medians of both, and the ratio in each pair, because a busy minute affects both: its median and
 * its extremes.
 */
export function compare(pairs: readonly Pair[]) {
  const ratios = pairs.map(({ ours, yardstick }) => ours / yardstick);
  return {
    value: median(pairs.map(({ ours }) => ours)),
    yardstick: median(pairs.map(({ yardstick }) => yardstick)),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)] as const,
  };
}

/** Measures one pair per round, with each side first in turn. */
export async function alternate<T>(
  rounds: number,
  ours: () => Promise<T>,
  yardstick: () => Promise<T>,
): Promise<Pair<T>[]> {
  const pairs: Pair<T>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const yardstickFirst = round % 2 === 1 ? await yardstick() : undefined;
    const own = await ours();
    pairs.push({ ours: own, yardstick: yardstickFirst ?? (await yardstick()) });
  }
  return pairs;
}
