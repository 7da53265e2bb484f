import type { Answer } from '../analysis/dns-answer.ts';
import type { SpfFacts } from '../analysis/facts.ts';
import { mendRecord, mergeRecords, readAsSpf } from '../analysis/spf/correct.ts';
import { questionKey } from '../analysis/spf/query.ts';
import type { SpfWalk } from '../analysis/spf/walk.ts';

/** Walks a record, with what is known before. */
type Walk = (answers: Map<string, Answer<unknown>>) => Promise<{ readonly walk: SpfWalk }>;

/**
 * What the record would be with its text mended, or several in one: a mended term leads where nobody
 * has looked, and a fix must not print what lets everybody in. `undefined`: the text is as it should be.
 */
export async function walkMeant(
  domain: string,
  records: readonly string[],
  answers: ReadonlyMap<string, Answer<unknown>>,
  walkFrom: Walk,
): Promise<SpfFacts['meant']> {
  const [own, ...more] = records;
  if (own === undefined) return undefined;
  const meant = more.length > 0 ? mergeRecords(records) : mendRecord(readAsSpf(own));
  if (meant === own) return undefined;
  const mended = { status: 'found' as const, records: [[meant]] };
  const key = questionKey({ name: domain, type: 'TXT' });
  const { walk } = await walkFrom(new Map([...answers, [key, mended]]));
  const { voidTerms, brokenTerms, wideTerms, effectiveAll } = walk;
  return { voidTerms, brokenTerms, wideTerms, effectiveAll };
}
