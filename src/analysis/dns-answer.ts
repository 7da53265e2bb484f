/**
 * What the DNS said, as far as a record is judged by it. `failed`: nobody's fault, not known; `unasked`:
 * it was not even asked, and would perhaps have answered.
 */
export type Answer<R> =
  | { readonly status: 'found'; readonly records: readonly R[] }
  | { readonly status: 'nxdomain' | 'nodata' }
  | { readonly status: 'failed'; readonly error: string; readonly unasked?: true };

/** The texts of a TXT answer: the strings of one record belong together (RFC 7208 §3.3). */
export const textsOf = (answer: Answer<readonly string[]> | undefined): readonly string[] =>
  answer?.status === 'found' ? answer.records.map((strings) => strings.join('')) : [];

export const isAbsent = (answer: Answer<unknown> | undefined): boolean =>
  answer?.status === 'nxdomain' || answer?.status === 'nodata';
