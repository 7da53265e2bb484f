/** Declares the DNS answers from which records are judged, and reads TXT records from them. */

/**
 * A DNS answer, reduced to what the checks need. `failed` means that the result is unknown, for which the
 * sender is not to blame. `unasked` means that no query was sent, although one might have been answered.
 */
export type Answer<R> =
  | { readonly status: 'found'; readonly records: readonly R[] }
  | { readonly status: 'nxdomain' | 'nodata' }
  | { readonly status: 'failed'; readonly error: string; readonly unasked?: true };

/**
 * Returns the texts of a TXT answer. The strings of each record are joined without a space (RFC 7208 §3.3).
 */
export const textsOf = (answer: Answer<readonly string[]> | undefined): readonly string[] =>
  answer?.status === 'found' ? answer.records.map((strings) => strings.join('')) : [];

export const isAbsent = (answer: Answer<unknown> | undefined): boolean =>
  answer?.status === 'nxdomain' || answer?.status === 'nodata';
