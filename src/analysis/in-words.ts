/** An id of ours for a reader: `html_before_plain` is `html before plain`. */
export const words = (id: string): string => id.replaceAll('_', ' ');

/** A number and what it counts: `1 image`, `2 images`. */
export const count = (n: number, one: string, many = `${one}s`): string =>
  `${n} ${n === 1 ? one : many}`;

/** `a, b and c`. */
export const list = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
