import type { Histogram } from 'prom-client';

/** As the library keeps it. */
interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly bucketValues: Record<number, number>;
  sum: number;
  count: number;
}

/**
 * Observes several values under one label at once: for what comes dozens of times a mail, and for which the
 * library checks and hashes the label each time.
 *
 * @param bounds the histogram's own
 */
export function quickObserve<Label extends string>(
  histogram: Histogram<Label>,
  label: Label,
  bounds: readonly number[],
) {
  const known = new Map<string, Series>();
  const { hashMap } = histogram as unknown as {
    readonly hashMap: Readonly<Record<string, Series>>;
  };

  function begin(value: string): Series {
    histogram.zero({ [label]: value } as Record<Label, string>);
    const series = Object.values(hashMap).find(({ labels }) => labels[label] === value);
    if (!series) throw new TypeError('The library keeps its histograms in another way.');
    known.set(value, series);
    return series;
  }

  return (value: string, milliseconds: readonly number[]): void => {
    const series = known.get(value) ?? begin(value);
    const { bucketValues } = series;
    series.count += milliseconds.length;
    for (const time of milliseconds) {
      const seconds = time / 1000;
      series.sum += seconds;
      const bound = bounds.find((one) => seconds <= one);
      if (bound !== undefined) bucketValues[bound] = (bucketValues[bound] ?? 0) + 1;
    }
  };
}
