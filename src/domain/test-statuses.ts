/** What a caller may learn of a test; the specification's five words. */
export const TEST_STATUSES = [
  'waiting',
  'processing',
  'ready',
  'rejected_or_not_received',
  'analysis_failed',
] as const;
