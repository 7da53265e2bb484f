/** Formats durations in words for documents that people read, such as "60 minutes". */

const UNITS = [
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/**
 * Formats a duration in the largest unit that divides it evenly. Minutes are used up to two hours: 3600 s is
 * "60 minutes".
 */
export function formatDuration(seconds: number): string {
  const [name, size] = UNITS.find(
    ([, size]) => seconds % size === 0 && seconds >= (size === 1 ? 1 : 2 * size),
  ) ?? ['second', 1];
  const count = seconds / size;
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}
