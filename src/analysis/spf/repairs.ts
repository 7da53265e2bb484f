/**
 * Corrects the sender's other SPF records, to which the sender's own record leads, as text, with the questions
 * to answer before they are published.
 */

import { describeChanges } from './changes.ts';
import {
  closeRecord,
  readAsSpf,
  replaceTerms,
  softenEnd,
  unreadableTerms,
  withoutTerms,
} from './correct.ts';
import type { OwnFault, SpfFacts, SpfRepair } from './facts.ts';
import { type Asked, NOTHING_ASKED, questionsOf } from './questions.ts';

/**
 * Returns a record without the terms that are broken or find nothing, or that let nearly every server pass. In
 * the latter case, its end then excludes other servers without refusing them.
 */
export function repairRecord(record: string, fault: Omit<OwnFault, 'name'>): string {
  const { broken, wide, voids } = fault;
  const terms = [...broken.map(({ term }) => term), ...wide.map(({ top }) => top)];
  const instead = new Map(voids.map((one) => [one.term, one.instead]));
  const narrowed = withoutTerms(replaceTerms(record, instead), terms);
  return wide.length > 0 ? softenEnd(closeRecord(narrowed, 'unknown')) : narrowed;
}

/** A corrected record of the sender's, with the texts about it that a fix prints. */
export interface PlannedRepair extends SpfRepair {
  /** Questions to answer before the record is published. */
  readonly questions: readonly string[];
  /** Sentences about what changed. Empty if there is nothing to say. */
  readonly changes: string;
}

/** Returns the corrections of the sender's other own records. */
export const planRepairs = ({ repairs = [], report: { domain } }: SpfFacts): PlannedRepair[] =>
  repairs.map((one) => {
    const asked = askedIn(one);
    return {
      ...one,
      questions: questionsOf(asked, one.name, domain),
      changes: describeChanges({ ...one, voidTerms: one.voids }, one.record, [], asked),
    };
  });

/** Returns the terms about which only the owner of a record can decide. */
const askedIn = ({ published, spaced, broken, wide }: SpfRepair): Asked => ({
  ...NOTHING_ASKED,
  ...{ broken, wide },
  unreadable: published.flatMap((text) => unreadableTerms(spaced ?? readAsSpf(text))),
});
