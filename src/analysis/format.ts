/** Formats ids, counts, durations and lists of names for sentences. */

/** Formats one of our ids for a reader, such as `html_before_plain` as `html before plain`. */
export const formatId = (id: string): string => id.replaceAll('_', ' ');

/** Formats a number together with what it counts, such as `1 image` or `2 images`. */
export const formatCount = (n: number, one: string, many = `${one}s`): string =>
  `${n} ${n === 1 ? one : many}`;

/**
 * Formats a number like `formatCount`, but says `499 or more attachments` if counting stopped at a limit.
 */
export const formatCountUpTo = (n: number, one: string, isCut: boolean): string =>
  isCut ? `${n} or more ${one}s` : formatCount(n, one);

/** Returns a sentence that lists what was found, such as `Found: a, b.`, or says that nothing was. */
export const formatFound = (names: readonly string[]): string =>
  names.length > 0 ? `Found: ${names.join(', ')}.` : 'None found.';

const UNITS: readonly (readonly [unit: string, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/**
 * Formats a duration in the largest unit of which it contains at least two, such as `90 seconds` or `3
 * hours`.
 */
export function formatElapsed(seconds: number): string {
  const [unit, size] = UNITS.find(([, one]) => seconds >= 2 * one) ?? ['second', 1];
  return formatCount(Math.round(seconds / size), unit);
}

/** Maximum number of names in one sentence. */
const MAX_NAMES = 10;

/**
 * Formats a list of names, such as `a, b and c`. Only the first ten names of a long list are shown, as in `a,
 * b and 12 more`.
 */
export const formatList = (names: readonly string[]): string => {
  const rest = names.length - MAX_NAMES;
  const all = rest > 0 ? [...names.slice(0, MAX_NAMES), `${rest} more`] : names;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
};
