/** Declares the port through which traces are written, and lists the names of their spans. */

/** The attributes of a span: our own words and numbers, never a value from an email, and never a secret. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/**
 * The spans of a test. The value of each is the span that it belongs under, if that one is open for the same
 * test in this process; null if there is none.
 */
export const SPANS = {
  /** The first span of a test. */
  'test created': null,
  'mail transaction': null,
  'mail gate': 'mail transaction',
  'mail analysis': 'mail transaction',
  'report request': null,
  settlement: 'report request',
} as const;

export type SpanName = keyof typeof SPANS;

/** Shows where the time of one test goes. All of its spans, from any replica, are one trace. */
export interface Traces {
  /**
   * Begins a span and returns the function that ends it. Never throws, and costs little.
   *
   * @param since when it began, in milliseconds since 1970; now by default
   */
  begin(name: SpanName, testId: string, since?: number): (attributes?: SpanAttributes) => void;
}
