import { doubtAbout } from '../advice/whose-server.ts';
import type { Facts } from '../facts.ts';
import { formatList } from '../format.ts';
import {
  addTerm,
  closeRecord,
  intendedRecord,
  joinPieces,
  ROOMY_OCTETS,
  readAsSpf,
  replaceTerms,
  softenEnd,
  splitRecord,
  termsOf,
} from './correct.ts';
import { correctTerm, holderOf, termsFor, whyNoTerm } from './correct-term.ts';
import type { SpfFacts, SpfTrial } from './facts.ts';
import { isQuerying, isValidTerm, MAX_LOOKUPS, parseSpf, parseTerm } from './parse.ts';
import { type Relief, relieveVoids } from './void-lookups.ts';

/** One corrected record for all SPF findings, so that following one undoes no other. */
interface SpfPlan {
  readonly record: string;
  /** Records that it includes, to be published first: it was too long for one. */
  readonly parts: readonly { readonly name: string; readonly record: string }[];
  /** It is too long, and cannot be split. */
  readonly isLong: boolean;
  /** What changed for others than this sender, as sentences; empty: nothing. */
  readonly changes: string;
  /** What to find out before the sender is let in; null: it is in, on this mail's own answers. */
  readonly doubt: string | null;
  /** The record with the sender let in, for who has found out; null: none is known. */
  readonly admitting: string | null;
  /** Lookups of the record, and of each of its terms that has any; null: not all is known. */
  readonly costs: { readonly lookups: number; readonly terms: SpfTrial['tree'] } | null;
  readonly relief: Relief;
}

export const spfRecordsOf = ({ report: { record, records = [] } }: SpfFacts): readonly string[] =>
  record && records.length < 2 ? [record] : records;

/** All texts that were published as the record. */
export const publishedOf = (spf: SpfFacts): readonly string[] => {
  const records = spfRecordsOf(spf);
  return records.length === 0 && spf.lookalike !== undefined ? [spf.lookalike] : records;
};

const passes = (trial: SpfTrial | null): boolean => trial?.result === 'pass';

/** Gives the records that have to be tried, one after the other, and takes what each gives; null: not known. */
type SpfPlanning = Generator<string, SpfPlan, SpfTrial | null>;

const plans = new WeakMap<Facts, SpfPlan>();

/** The smallest change of the published record that makes this sender pass. */
export function planSpf(spf: SpfFacts, facts: Facts): SpfPlan {
  const known = plans.get(facts);
  if (known) return known;
  const planning = makePlan(spf, facts);
  let step = planning.next();
  while (!step.done) step = planning.next(spf.trials?.get(step.value) ?? null);
  plans.set(facts, step.value);
  return step.value;
}

/** The plan, and on the way the records that the engine has to try. */
export function* makePlan(spf: SpfFacts, facts: Facts): SpfPlanning {
  const records = spfRecordsOf(spf);
  const intended = intendedRecord(spf.report.domain, { ...spf, records }) ?? 'v=spf1';
  const { brokenTerms, wideTerms, effectiveAll, voidTerms } = spf.corrected ?? spf;
  const broken = brokenTerms.filter(({ isOfSender }) => !isOfSender);
  const gone = new Map<string, readonly string[]>([
    ...wideTerms.map(({ top }) => [top, []] as const),
    ...broken.map(({ term }) => [term, []] as const),
  ]);
  const kept = replaceTerms(intended, gone);
  const isOpen = wideTerms.length > 0;
  const sound = closeRecord(isOpen ? softenEnd(kept) : kept, gone.size > 0 ? null : effectiveAll);
  const relieved = relieveVoids(sound, voidTerms);
  const relief = { ...relieved, record: closeRecord(relieved.record, effectiveAll) };
  const before = yield relief.record;
  const admission = yield* letSenderIn(facts, relief.record, before);
  const { record } = admission;
  const trial = record === relief.record ? before : yield record;
  const reasons = [
    ...broken.map(({ term, why }) => [term, why] as const),
    ...wideTerms.map(({ top }) => [top, 'it lets in nearly everybody'] as const),
  ];
  return {
    ...toPublish(record, spf),
    changes: [
      describeChanges(spf, record, new Map(reasons)),
      ...(records.length > 0 && record.endsWith('~all') && !isClosed(spf.corrected ?? spf)
        ? [SOFT_END]
        : []),
    ]
      .filter(Boolean)
      .join(' '),
    doubt: admission.doubt,
    admitting: admission.admitting,
    costs: costsOf(trial),
    relief,
  };
}

/** Whether the published record kept others out at all. */
const isClosed = ({ wideTerms, effectiveAll }: NonNullable<SpfFacts['corrected']>): boolean =>
  wideTerms.length === 0 && (effectiveAll === '-' || effectiveAll === '~');

const SOFT_END =
  'Mail from servers that the record does not list then fails SPF softly (~all), so add every service that sends for you.';

/** Terms that are tried by themselves: more do not fit a record of honest length. */
const MAX_TRIED = 30;

type Admission = Pick<SpfPlan, 'record' | 'doubt' | 'admitting'>;

const costsOf = (trial: SpfTrial | null): SpfPlan['costs'] =>
  trial && {
    lookups: trial.lookups,
    terms: trial.tree
      .filter(({ depth, lookups }) => depth === 0 && lookups > 0)
      .toSorted((one, other) => other.lookups - one.lookups),
  };

/**
 * The first candidate that passes on the mail's own answers: the record as it is, one of its terms
 * moved, a new term; at the end, before what decides, in front. Without any the record stays.
 */
function* letSenderIn(
  facts: Facts,
  record: string,
  before: SpfTrial | null,
): Generator<string, Admission, SpfTrial | null> {
  // What did not answer may well list the sender.
  const within = (passing: string): Admission => ({
    record: passing,
    doubt: null,
    admitting: null,
  });
  if (passes(before) || before?.result === 'temperror') return within(record);
  const terms = termsOf(record);
  const barrier = parseSpf(record).find(
    ({ kind, name, qualifier }) => kind === 'mechanism' && name !== 'all' && qualifier !== '+',
  )?.text;
  const places = [undefined, before?.matchedTerm ?? undefined, barrier, terms[0]];
  const proven = (term: string) =>
    firstPassing(places.map((place) => addTerm(record, term, place)));
  // A term that lists the sender and is not reached, as behind ten lookups of others.
  const holdsSender = holderOf(facts.names.ip ?? '');
  const own = parseSpf(record)
    .filter((term) => isQuerying(term) || holdsSender(term))
    .slice(0, MAX_TRIED)
    .map(({ text }) => text);
  const alone = yield* firstPassing(own.map((text) => `v=spf1 ${text} -all`));
  const moved = alone === undefined ? undefined : yield* proven(termsOf(alone)[0] ?? '');
  if (moved !== undefined) return within(moved);
  const doubt = turnedAway(before) ?? doubtAbout(facts);
  let admitting: string | undefined;
  for (const term of termsFor(facts, terms)) admitting ??= yield* proven(term);
  if (admitting === undefined)
    return { record, doubt: whyNoTerm(facts) ?? doubt ?? NOT_FOUND, admitting: null };
  return doubt === null ? within(admitting) : { record, doubt, admitting };
}

function* firstPassing(
  records: readonly string[],
): Generator<string, string | undefined, SpfTrial | null> {
  for (const record of new Set(records)) if (passes(yield record)) return record;
  return undefined;
}

const NOT_FOUND = 'No record was found with which it passes.';

/** A term of the record itself that turns this very address away: what its owner wrote on purpose. */
function turnedAway(before: SpfTrial | null): string | null {
  const term = before?.matchedTerm ?? '';
  return /^-(?!all$)/i.test(term) ? `Your record turns it away by ${cut(term)}.` : null;
}

/** What became of the terms of others: none goes, or becomes another, without being named. */
function describeChanges(
  spf: SpfFacts,
  record: string,
  reasons: ReadonlyMap<string, string>,
): string {
  const kept = new Set(termsOf(record).map((term) => term.toLowerCase()));
  const published = publishedOf(spf).flatMap((text) => joinPieces(termsOf(readAsSpf(text))));
  const changed: string[] = [];
  const dropped: string[] = [];
  for (const term of new Set(published)) {
    if (kept.has(term.toLowerCase()) || /^[+?~-]?(?:all)?$/i.test(term)) continue;
    const intended = termsOf(correctTerm(term));
    const instead = spf.voidTerms.find((one) => one.term === term)?.instead ?? [];
    const now = [...intended, ...instead].filter((one) => kept.has(one.toLowerCase()));
    const reason = [term, ...intended]
      .map((one) => reasons.get(one))
      .find((one) => one !== undefined);
    const linked = term.replace(/^redirect=/i, 'include:');
    if (now.length > 0) changed.push(`${cut(term)} is now ${now.map(cut).join(' ')}`);
    else if (kept.has(linked.toLowerCase())) changed.push(`${cut(term)} is now ${cut(linked)}`);
    else dropped.push(`${cut(term)} (${cut(reason ?? whyDropped(term))})`);
  }
  return [
    ...(changed.length > 0 ? [`Changed: ${formatList(changed)}.`] : []),
    ...(dropped.length > 0
      ? [
          `Left out: ${formatList(dropped)}. If one of them names a service you use, add that service.`,
        ]
      : []),
  ].join(' ');
}

/** A term may be 60 KB long. */
const cut = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text);

function whyDropped(term: string): string {
  if (/^[+?~-]?ptr/i.test(term) || /%\{p/i.test(term)) return 'RFC 7208 advises against it';
  if (/^redirect=/i.test(term)) return 'it is ignored beside all';
  return isValidTerm(parseTerm(term)) ? 'it leads nowhere' : 'it cannot be read';
}

/** A record with those it is split into, when it is long. */
function toPublish(record: string, spf: SpfFacts): Pick<SpfPlan, 'record' | 'parts' | 'isLong'> {
  if (record.length <= ROOMY_OCTETS) return { record, parts: [], isLong: false };
  const split = splitRecord(record, spf.report.domain);
  const lookups = (spf.report.lookups ?? 0) + (split?.parts.length ?? 0);
  return split && lookups <= MAX_LOOKUPS
    ? { ...split, isLong: false }
    : { record, parts: [], isLong: true };
}
