/**
 * Defines a figure of a benchmark, decides whether it misses its target, and formats figures as a table.
 */

/** A line of the result: what was measured, its value and its unit. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: 'ms' | 'a second' | 'kB';
  /** The yardstick's value, in the same unit, from the same minute. */
  readonly yardstick?: number;
  /** Median of our value divided by the yardstick's, pair by pair. */
  readonly ratio?: number;
  /** The lowest and highest of these ratios. */
  readonly spread?: readonly [least: number, most: number];
  /** The limit for the ratio, or for the value if there is no ratio. */
  readonly target?: { readonly most: number } | { readonly least: number };
}

/** Returns whether a figure misses its target. Without a target there is nothing to miss. */
export function isMissed({ value, ratio = value, target }: Figure): boolean {
  if (target === undefined) return false;
  // NaN meets no target.
  return 'most' in target ? !(ratio <= target.most) : !(ratio >= target.least);
}

const HEAD = ['', 'ours', 'yardstick', 'ratio', 'target', ''];

/** Formats the figures as lines of text, in columns. */
export function toTable(figures: readonly Figure[]): string {
  const rows = [HEAD, ...figures.map(toRow)];
  const widths = HEAD.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd : cell.padStart).call(cell, widths[at] ?? 0));
  return rows.map((row) => line(row).join('  ').trimEnd()).join('\n');
}

function toRow(figure: Figure): string[] {
  const { what, value, unit, yardstick, ratio, spread, target } = figure;
  const limit = target && ('most' in target ? `≤ ${target.most}` : `≥ ${target.least}`);
  return [
    what,
    `${short(value)} ${unit}`,
    yardstick === undefined ? '' : `${short(yardstick)} ${unit}`,
    [ratio?.toFixed(2), spread && `[${spread.map((one) => one.toFixed(2)).join(' to ')}]`]
      .filter(Boolean)
      .join(' '),
    limit ?? '',
    isMissed(figure) ? 'MISSED' : '',
  ];
}

const short = (value: number): string =>
  value.toFixed(value < 100 && !Number.isInteger(value) ? 1 : 0);
