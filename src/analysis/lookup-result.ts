/**
 * Declares the result of a lookup, which may be unknown, transforms and combines such results, splits the
 * error line of an unknown one, and reads entries of records whose keys come from outside.
 */

/**
 * The result of a lookup. `unknown` is never a "no", and costs the sender no points. Its `error` becomes a
 * line of `partial_errors`, such as `dns: TXT _dmarc.example.com: SERVFAIL`.
 */
export type LookupResult<T> =
  | { readonly status: 'known'; readonly value: T }
  | {
      readonly status: 'unknown';
      readonly error: string;
      /**
       * True if no part of this run could have found out the result. The report names it, but it does not
       * make the score uncertain.
       */
      readonly unseen?: true;
    };

export const known = <T>(value: T): LookupResult<T> => ({ status: 'known', value });

export const unknown = (error: string): LookupResult<never> => ({ status: 'unknown', error });

/** Returns an unknown result for something that no part of this run could have found out. */
export const unseen = (error: string): LookupResult<never> => ({
  status: 'unknown',
  error,
  unseen: true,
});

/** Returns whether a result is unknown because no part of this run could have found it out. */
export const isUnseen = (lookup: LookupResult<unknown>): boolean =>
  lookup.status === 'unknown' && lookup.unseen === true;

/** Splits an error line into the system that was asked, the question, and the reason why it failed. */
export function errorAsData(error: string): { code: string; asked: string; reason: string } {
  const [code = '', ...rest] = error.split(': ');
  return {
    code: code.replaceAll(' ', '_'),
    asked: rest.slice(0, -1).join(': '),
    reason: rest.at(-1) ?? '',
  };
}

/** Applies a function to a known value. An unknown result is returned with its error. */
export const mapLookup = <T, U>(
  lookup: LookupResult<T>,
  change: (value: T) => U,
): LookupResult<U> => (lookup.status === 'known' ? known(change(lookup.value)) : lookup);

/**
 * Applies a function to a known value and returns its result, which may be unknown or not applicable. An
 * unknown result is returned with its error.
 */
export const thenLookup = <T, U>(
  lookup: LookupResult<T>,
  next: (value: T) => LookupResult<U> | undefined,
): LookupResult<U> | undefined => (lookup.status === 'known' ? next(lookup.value) : lookup);

/**
 * Returns the lookup if its value is unknown or passes the test. Returns `undefined` otherwise, because there
 * is nothing to judge.
 */
export const keepIf = <T>(
  lookup: LookupResult<T>,
  applies: (value: T) => boolean,
): LookupResult<T> | undefined =>
  lookup.status === 'unknown' || applies(lookup.value) ? lookup : undefined;

/** Combines two results into one that contains both values, or that is unknown if either of them is. */
export const bothLookups = <A, B>(
  one: LookupResult<A>,
  two: LookupResult<B>,
): LookupResult<readonly [A, B]> => {
  if (one.status === 'unknown') return one;
  return mapLookup(two, (value) => [one.value, value] as const);
};

/** Returns the value of a result, or `undefined` if it is unknown. */
export const ifKnown = <T>(lookup: LookupResult<T>): T | undefined =>
  lookup.status === 'known' ? lookup.value : undefined;

/**
 * Returns an own entry of a record, or `undefined`. Keys from outside need this, because one of them may be
 * `constructor`.
 */
export const entryOf = <V>(record: Readonly<Record<string, V>>, key: string): V | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
