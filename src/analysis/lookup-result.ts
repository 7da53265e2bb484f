import { known, type Looked } from './facts.ts';

/** The value in another form; what is unknown stays unknown, with its error. */
export const mapLooked = <T, U>(looked: Looked<T>, change: (value: T) => U): Looked<U> =>
  looked.status === 'known' ? known(change(looked.value)) : looked;

/** Goes on from a known value to one that may be unknown in its turn, or not apply. */
export const thenLooked = <T, U>(
  looked: Looked<T>,
  next: (value: T) => Looked<U> | undefined,
): Looked<U> | undefined => (looked.status === 'known' ? next(looked.value) : looked);

/** Both values; unknown when either is. */
export const bothLooked = <A, B>(one: Looked<A>, two: Looked<B>): Looked<readonly [A, B]> => {
  if (one.status === 'unknown') return one;
  return mapLooked(two, (value) => [one.value, value] as const);
};

/** The value, or `undefined` when it is unknown. */
export const ifKnown = <T>(looked: Looked<T>): T | undefined =>
  looked.status === 'known' ? looked.value : undefined;

/** One entry of a record keyed by text from outside, which may be `constructor`. */
export const entryOf = <V>(record: Readonly<Record<string, V>>, key: string): V | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
