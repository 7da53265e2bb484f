/**
 * The result of a lookup. `unknown` is never a "no": it costs the sender nothing, and its `error` is a line
 * of `partial_errors`, such as `dns: TXT _dmarc.example.com: SERVFAIL`.
 */
export type LookupResult<T> =
  | { readonly status: 'known'; readonly value: T }
  | {
      readonly status: 'unknown';
      readonly error: string;
      /**
       * No part of this run could have found out the result. The report names it, but the score is not in
       * doubt because of it.
       */
      readonly unseen?: true;
    };

export const known = <T>(value: T): LookupResult<T> => ({ status: 'known', value });

export const unknown = (error: string): LookupResult<never> => ({ status: 'unknown', error });

/** Returns an unknown result that no part of this run could have found out. */
export const unseen = (error: string): LookupResult<never> => ({
  status: 'unknown',
  error,
  unseen: true,
});

/** Returns whether no part of this run could have found out the result. */
export const isUnseen = (lookup: LookupResult<unknown>): boolean =>
  lookup.status === 'unknown' && lookup.unseen === true;

/** Splits an error into data: which system was asked, what the question was, and what came of it. */
export function errorAsData(error: string): { code: string; asked: string; reason: string } {
  const [code = '', ...rest] = error.split(': ');
  return {
    code: code.replaceAll(' ', '_'),
    asked: rest.slice(0, -1).join(': '),
    reason: rest.at(-1) ?? '',
  };
}

/** Changes a known value. An unknown one stays unknown, with its error. */
export const mapLookup = <T, U>(
  lookup: LookupResult<T>,
  change: (value: T) => U,
): LookupResult<U> => (lookup.status === 'known' ? known(change(lookup.value)) : lookup);

/** Continues from a known value to a result that may be unknown itself, or not apply. */
export const thenLookup = <T, U>(
  lookup: LookupResult<T>,
  next: (value: T) => LookupResult<U> | undefined,
): LookupResult<U> | undefined => (lookup.status === 'known' ? next(lookup.value) : lookup);

/** Returns the lookup if its value applies or is unknown. Otherwise there is nothing to judge. */
export const keepIf = <T>(
  lookup: LookupResult<T>,
  applies: (value: T) => boolean,
): LookupResult<T> | undefined =>
  lookup.status === 'unknown' || applies(lookup.value) ? lookup : undefined;

/** Returns both values, or unknown if either is. */
export const bothLookups = <A, B>(
  one: LookupResult<A>,
  two: LookupResult<B>,
): LookupResult<readonly [A, B]> => {
  if (one.status === 'unknown') return one;
  return mapLookup(two, (value) => [one.value, value] as const);
};

/** Returns the value, or `undefined` if it is unknown. */
export const ifKnown = <T>(lookup: LookupResult<T>): T | undefined =>
  lookup.status === 'known' ? lookup.value : undefined;

/** Returns an entry of a record whose keys come from outside, because such a key may be `constructor`. */
export const entryOf = <V>(record: Readonly<Record<string, V>>, key: string): V | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
