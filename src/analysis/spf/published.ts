/** Returns the SPF records that a domain published, and the texts that a corrected record replaces. */

import type { SpfFacts } from './facts.ts';

/** Returns the SPF records that a domain published. */
export const spfRecordsOf = ({ report: { record, records = [] } }: SpfFacts): readonly string[] =>
  record && records.length < 2 ? [record] : records;

/** Returns all texts that a domain published as its SPF record, even one that receivers do not accept. */
export const publishedOf = (spf: SpfFacts): readonly string[] => {
  const records = spfRecordsOf(spf);
  return records.length === 0 && spf.lookalike !== undefined ? [spf.lookalike] : records;
};
