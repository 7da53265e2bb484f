/** Formats numbers, names and durations for sentences. */

/** Formats one of our ids for a reader: `html_before_plain` becomes `html before plain`. */
export const formatId = (id: string): string => id.replaceAll('_', ' ');

/** Formats a number and what it counts: `1 image`, `2 images`. */
export const formatCount = (n: number, one: string, many = `${one}s`): string =>
  `${n} ${n === 1 ? one : many}`;

/** Like `formatCount`, for things that were counted only up to a limit: `499 or more attachments`. */
export const formatCountUpTo = (n: number, one: string, isCut: boolean): string =>
  isCut ? `${n} or more ${one}s` : formatCount(n, one);

/** Returns `Found: a, b.`, or that nothing was found. */
export const formatFound = (names: readonly string[]): string =>
  names.length > 0 ? `Found: ${names.join(', ')}.` : 'None found.';

const UNITS: readonly (readonly [unit: string, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** Formats a duration in the largest unit of which it has at least two: `90 seconds`, `3 hours`. */
export function formatElapsed(seconds: number): string {
  const [unit, size] = UNITS.find(([, one]) => seconds >= 2 * one) ?? ['second', 1];
  return formatCount(Math.round(seconds / size), unit);
}

/** Most names in one sentence. */
const MAX_NAMES = 10;

/** Formats `a, b and c`. Of a long list, the first ten: `a, b and 12 more`. */
export const formatList = (names: readonly string[]): string => {
  const rest = names.length - MAX_NAMES;
  const all = rest > 0 ? [...names.slice(0, MAX_NAMES), `${rest} more`] : names;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
};
