/** Calculates Spearman's rank correlation. */

/** Returns the ranks of the values. Ties share their mean rank. */
function ranksOf(values: readonly number[]): readonly number[] {
  const sorted = [...values].sort((a, b) => a - b);
  return values.map((value) => {
    const first = sorted.indexOf(value);
    return (first + sorted.lastIndexOf(value)) / 2;
  });
}

/** Returns Spearman's rank correlation, which is 1 if both have the same order. */
export function rankCorrelation(one: readonly number[], other: readonly number[]): number {
  const [a, b] = [ranksOf(one), ranksOf(other)];
  const mean = (one.length - 1) / 2;
  const sum = (f: (i: number) => number) => a.reduce((all, _, i) => all + f(i), 0);
  const da = (i: number) => (a[i] ?? 0) - mean;
  const db = (i: number) => (b[i] ?? 0) - mean;
  return sum((i) => da(i) * db(i)) / Math.sqrt(sum((i) => da(i) ** 2) * sum((i) => db(i) ** 2));
}
