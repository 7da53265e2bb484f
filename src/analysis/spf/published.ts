/** The SPF records and texts that a domain published. */

import type { SpfFacts } from './facts.ts';

/** Returns the records that were published. */
export const spfRecordsOf = ({ report: { record, records = [] } }: SpfFacts): readonly string[] =>
  record && records.length < 2 ? [record] : records;

/** Returns all texts that were published as the record. */
export const publishedOf = (spf: SpfFacts): readonly string[] => {
  const records = spfRecordsOf(spf);
  return records.length === 0 && spf.lookalike !== undefined ? [spf.lookalike] : records;
};
