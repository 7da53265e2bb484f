/**
 * What a lookup left behind. `unknown` is never a "no": it costs the sender nothing and its
 * `error` is a line of `partial_errors`, such as `dns: TXT _dmarc.example.com: SERVFAIL`.
 */
export type LookupResult<T> =
  | { readonly status: 'known'; readonly value: T }
  | {
      readonly status: 'unknown';
      readonly error: string;
      /** Nothing of this run could learn it: it is named, and is no doubt about the score. */
      readonly unseen?: true;
    };

export const known = <T>(value: T): LookupResult<T> => ({ status: 'known', value });

export const unknown = (error: string): LookupResult<never> => ({ status: 'unknown', error });

/** Unknown, as nothing of this run could learn it. */
export const unseen = (error: string): LookupResult<never> => ({
  status: 'unknown',
  error,
  unseen: true,
});

/** Whether nothing of this run could learn it. */
export const isUnseen = (lookup: LookupResult<unknown>): boolean =>
  lookup.status === 'unknown' && lookup.unseen === true;

/** An error as data: where it was asked, for what, and what came of it. */
export function errorAsData(error: string): { code: string; asked: string; reason: string } {
  const [code = '', ...rest] = error.split(': ');
  return {
    code: code.replaceAll(' ', '_'),
    asked: rest.slice(0, -1).join(': '),
    reason: rest.at(-1) ?? '',
  };
}

/** The value in another form; what is unknown stays unknown, with its error. */
export const mapLookup = <T, U>(
  lookup: LookupResult<T>,
  change: (value: T) => U,
): LookupResult<U> => (lookup.status === 'known' ? known(change(lookup.value)) : lookup);

/** Goes on from a known value to one that may be unknown in its turn, or not apply. */
export const thenLookup = <T, U>(
  lookup: LookupResult<T>,
  next: (value: T) => LookupResult<U> | undefined,
): LookupResult<U> | undefined => (lookup.status === 'known' ? next(lookup.value) : lookup);

/** The lookup where its value applies, or is not known; else nothing is left to judge. */
export const keepIf = <T>(
  lookup: LookupResult<T>,
  applies: (value: T) => boolean,
): LookupResult<T> | undefined =>
  lookup.status === 'unknown' || applies(lookup.value) ? lookup : undefined;

/** Both values; unknown when either is. */
export const bothLookups = <A, B>(
  one: LookupResult<A>,
  two: LookupResult<B>,
): LookupResult<readonly [A, B]> => {
  if (one.status === 'unknown') return one;
  return mapLookup(two, (value) => [one.value, value] as const);
};

/** The value, or `undefined` when it is unknown. */
export const ifKnown = <T>(lookup: LookupResult<T>): T | undefined =>
  lookup.status === 'known' ? lookup.value : undefined;

/** One entry of a record keyed by text from outside, which may be `constructor`. */
export const entryOf = <V>(record: Readonly<Record<string, V>>, key: string): V | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
