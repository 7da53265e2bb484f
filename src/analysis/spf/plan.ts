/**
 * Plans one corrected SPF record for all SPF findings, so that their fixes agree, with the questions to
 * answer before it is published.
 */

import type { Facts } from '../facts.ts';
import { type Admission, letSenderIn } from './admission.ts';
import { describeChanges } from './changes.ts';
import {
  closeRecord,
  intendedRecord,
  ROOMY_OCTETS,
  readAsSpf,
  softenEnd,
  splitRecord,
  termsOf,
  unreadableTerms,
  withoutTerms,
} from './correct.ts';
import type { SpfFacts, SpfTrial } from './facts.ts';
import { isQuerying, isReverse, MAX_LOOKUPS, parseSpf, type SpfTerm } from './parse.ts';
import { publishedOf, spfRecordsOf } from './published.ts';
import { type Asked, questionsOf } from './questions.ts';
import { type PlannedRepair, planRepairs } from './repairs.ts';
import { type Relief, relieveVoids } from './void-lookups.ts';

/** The plan for one corrected record that all SPF findings share, so that no fix undoes another. */
interface SpfPlan extends Admission {
  /**
   * The record that can be published today, because it authorizes every server that the published one does.
   * Null if there is none.
   */
  readonly today: string | null;
  /**
   * Questions to answer before `record` is published, because it may shut out servers of the domain's owner.
   */
  readonly questions: readonly string[];
  /** The other own records to correct, each with the questions to answer before it is published. */
  readonly repairs: readonly PlannedRepair[];
  /**
   * Records that the new record includes, to be published first. They are needed if all terms together are
   * too long for one record.
   */
  readonly parts: readonly { readonly name: string; readonly record: string }[];
  /** True if the record is too long and cannot be split. */
  readonly isLong: boolean;
  /** Sentences about what changed for senders other than this one. Empty if nothing changed. */
  readonly changes: string;
  /** Number of lookups that the record and each of its terms cause. Null if not all of them are known. */
  readonly costs: { readonly lookups: number; readonly terms: SpfTrial['tree'] } | null;
  readonly relief: Relief;
}

/**
 * A generator that yields records to try, one after another, and receives the result of each, or null if it
 * is unknown.
 */
type SpfPlanning = Generator<string, SpfPlan, SpfTrial | null>;

const plans = new WeakMap<Facts, SpfPlan>();

/** Plans the smallest change to the published record that makes this sender pass. */
export function planSpf(spf: SpfFacts, facts: Facts): SpfPlan {
  const known = plans.get(facts);
  if (known) return known;
  const planning = makePlan(spf, facts);
  let step = planning.next();
  while (!step.done) step = planning.next(spf.trials?.get(step.value) ?? null);
  plans.set(facts, step.value);
  return step.value;
}

/** Makes the plan, and yields the records that the SPF engine must try on the way. */
export function* makePlan(spf: SpfFacts, facts: Facts): SpfPlanning {
  const records = spfRecordsOf(spf);
  const intended = intendedRecord(spf.report.domain, { ...spf, records }) ?? 'v=spf1';
  const { brokenTerms, wideTerms, effectiveAll, voidTerms } = spf.corrected ?? spf;
  const repairs = planRepairs(spf);
  const broken = brokenTerms.filter(({ cause, isOfSender }) => cause === 'loop' || !isOfSender);
  const published = new Set(publishedOf(spf).flatMap(termsOf));
  // If a term was only inferred from the text and leads nowhere, the inference may be wrong.
  const dead = broken.filter(
    ({ term, cause, isNested, isOfSender }) =>
      (cause === 'absent' || cause === 'loop') &&
      !isNested &&
      !isOfSender &&
      (records.length !== 1 || published.has(term)),
  );
  const kept = withoutTerms(intended, [
    ...dead.map(({ term }) => term),
    ...parseSpf(intended)
      .filter(isExplanationOfReverse)
      .map(({ text }) => text),
  ]);
  // A record that nobody can evaluate authorizes nobody, so its end can be closed at once.
  const isOpenEnd =
    records.length === 1 &&
    dead.every(({ term }) => !/^redirect=/i.test(term)) &&
    isOpen(effectiveAll);
  const close = (record: string) => closeRecord(record, dead.length > 0 ? null : effectiveAll);
  const relief = relieveVoids(isOpenEnd ? kept : close(kept), voidTerms);
  const asked: Asked = {
    unreadable: publishedOf(spf).flatMap((text) => unreadableTerms(spf.spaced ?? readAsSpf(text))),
    broken,
    wide: wideTerms,
    reverse: parseSpf(intended).filter((term) => isQuerying(term) && isReverse(term)),
    voids: relief.nested,
    isOpenEnd,
  };
  const questions = questionsOf(asked, spf.report.domain);
  const narrowed = withoutTerms(relief.record, [
    ...asked.broken.map(({ term }) => term),
    ...asked.wide.map(({ top }) => top),
    ...asked.reverse.map(({ text }) => text),
    ...asked.voids.map(({ top }) => top),
  ]);
  const isNarrower = [asked, ...repairs].some(({ wide }) => wide.length > 0);
  const closed = close(isNarrower ? softenEnd(narrowed) : narrowed);
  // A record that authorizes everyone, or that receivers cannot read, is not printed again.
  const isLater =
    asked.unreadable.length > 0 ||
    asked.wide.length > 0 ||
    asked.broken.some(({ cause, isNested }) => cause === 'absent' && !isNested);
  const today =
    isLater || questions.length === 0
      ? null
      : (yield* letSenderIn(facts, relief.record, yield relief.record)).record;
  const before = yield closed;
  const { record, doubt, admitting } = yield* letSenderIn(facts, closed, before);
  const trial = record === closed ? before : yield record;
  return {
    today,
    questions,
    repairs,
    ...toPublish(record, spf),
    changes: [
      describeChanges({ ...spf, published: publishedOf(spf) }, record, dead, asked),
      ...repairs.map(({ changes }) => changes),
      ...(records.length > 0 && record.endsWith('~all') && !isOpenEnd && isOpen(effectiveAll)
        ? [SOFT_END]
        : []),
    ]
      .filter(Boolean)
      .join(' '),
    doubt,
    admitting,
    costs: costsOf(trial),
    relief,
  };
}

const isExplanationOfReverse = (term: SpfTerm): boolean => term.name === 'exp' && isReverse(term);

/** Returns whether the end of a record excludes no server. */
const isOpen = (end: SpfFacts['effectiveAll']): boolean =>
  end === '?' || end === '+' || end === null;

const SOFT_END =
  'Mail from servers that the record does not list then gets an SPF softfail (~all), so add every service that sends for you.';

const costsOf = (trial: SpfTrial | null): SpfPlan['costs'] =>
  trial && {
    lookups: trial.lookups,
    terms: trial.tree
      .filter(({ depth, lookups }) => depth === 0 && lookups > 0)
      .toSorted((one, other) => other.lookups - one.lookups),
  };

/** Returns the record to publish, split into several records if it is too long. */
function toPublish(record: string, spf: SpfFacts): Pick<SpfPlan, 'record' | 'parts' | 'isLong'> {
  if (record.length <= ROOMY_OCTETS) return { record, parts: [], isLong: false };
  const split = splitRecord(record, spf.report.domain);
  const lookups = (spf.report.lookups ?? 0) + (split?.parts.length ?? 0);
  return split && lookups <= MAX_LOOKUPS
    ? { ...split, isLong: false }
    : { record, parts: [], isLong: true };
}
