/** Words and numbers of ours: never a value of a mail, never a secret. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** What is timed, and under which span that is open for the same test in this process. */
export const SPANS = {
  /** The first of a test. */
  'test created': null,
  'mail transaction': null,
  'mail gate': 'mail transaction',
  'mail analysis': 'mail transaction',
  'report request': null,
  settlement: 'report request',
} as const;

export type SpanName = keyof typeof SPANS;

/** Where the time of one test goes: all of its spans, of whichever replica, are one trace. */
export interface Traces {
  /**
   * Begins a span; gives its end. Never throws, and costs little.
   *
   * @param since when it began, in milliseconds since 1970; now by default
   */
  begin(name: SpanName, testId: string, since?: number): (attributes?: SpanAttributes) => void;
}
