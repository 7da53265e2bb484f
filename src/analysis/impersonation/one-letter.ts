/** Compares words that differ by one letter. */

/** Returns whether two words differ by one letter that was left out, added or changed. */
export function isOneOff(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1 || one === other) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return (
    one.slice(at + 1) === other.slice(at) ||
    one.slice(at) === other.slice(at + 1) ||
    one.slice(at + 1) === other.slice(at + 1)
  );
}

/** Returns all variants of a text that leave out one letter. */
export const withoutOne = (text: string): readonly string[] =>
  Array.from(text, (_, at) => text.slice(0, at) + text.slice(at + 1));
