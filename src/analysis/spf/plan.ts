import { doubtAbout } from '../advice/whose-server.ts';
import type { SpfFacts } from '../authentication-facts.ts';
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
import { correctTerm } from './correct-term.ts';
import { evaluateSpf, type SpfEvaluation } from './evaluate.ts';
import { isValidTerm } from './grammar.ts';
import { holderOf } from './network.ts';
import { isQuerying, MAX_LOOKUPS, parseSpf, parseTerm } from './parse.ts';
import { queryKey } from './query.ts';
import { termsFor, whyNoTerm } from './sender-term.ts';
import { type Relief, relieveVoids } from './void-lookups.ts';

/** One corrected record for all SPF findings, so that following one undoes no other. */
export interface SpfPlan {
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
  readonly costs: { readonly lookups: number; readonly terms: SpfEvaluation['tree'] } | null;
  readonly relief: Relief;
}

export const spfRecordsOf = ({ report: { record, records = [] } }: SpfFacts): readonly string[] =>
  record && records.length < 2 ? [record] : records;

/** The terms of all texts that were published as the record. */
const publishedTerms = (spf: SpfFacts): readonly string[] => {
  const records = spfRecordsOf(spf);
  const texts = records.length === 0 && spf.lookalike !== undefined ? [spf.lookalike] : records;
  return texts.flatMap((text) => joinPieces(termsOf(readAsSpf(text))));
};

/** The record evaluated in place of the published one, on the answers that this mail got. */
function evaluateOn(spf: SpfFacts, record: string): SpfEvaluation | null {
  if (!spf.evidence) return null;
  const { answers, sender } = spf.evidence;
  const key = queryKey({ name: sender.domain, type: 'TXT' });
  const published = { status: 'found' as const, records: [[record]] };
  return evaluateSpf(sender.domain, new Map([...answers, [key, published]]), sender);
}

const passes = (evaluation: SpfEvaluation | null): boolean => evaluation?.result === 'pass';

const plans = new WeakMap<Facts, SpfPlan>();

/** The smallest change of the published record that makes this sender pass. */
export function planSpf(spf: SpfFacts, facts: Facts): SpfPlan {
  const known = plans.get(facts);
  if (known) return known;
  const plan = makePlan(spf, facts);
  plans.set(facts, plan);
  return plan;
}

function makePlan(spf: SpfFacts, facts: Facts): SpfPlan {
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
  const before = evaluateOn(spf, relief.record);
  const admission = letSenderIn(spf, facts, relief.record, before);
  const { record } = admission;
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
    costs: costsOf(evaluateOn(spf, record)),
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

const costsOf = (evaluation: SpfEvaluation | null): SpfPlan['costs'] =>
  evaluation && {
    lookups: evaluation.lookups,
    terms: evaluation.tree
      .filter(({ depth, lookups }) => depth === 0 && lookups > 0)
      .toSorted((one, other) => other.lookups - one.lookups),
  };

/**
 * The first candidate that passes on the mail's own answers: the record as it is, one of its terms
 * moved, a new term; at the end, before what decides, in front. Without any the record stays.
 */
function letSenderIn(
  spf: SpfFacts,
  facts: Facts,
  record: string,
  before: SpfEvaluation | null,
): Admission {
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
    places
      .map((place) => addTerm(record, term, place))
      .find((candidate) => passes(evaluateOn(spf, candidate)));
  // A term that lists the sender and is not reached, as behind ten lookups of others.
  const holdsSender = holderOf(facts.names.ip ?? '');
  const own = parseSpf(record)
    .filter((term) => isQuerying(term) || holdsSender(term))
    .slice(0, MAX_TRIED)
    .find(({ text }) => passes(evaluateOn(spf, `v=spf1 ${text} -all`)));
  const moved = own && proven(own.text);
  if (moved) return within(moved);
  const doubt = turnedAway(before) ?? doubtAbout(facts);
  const admitting = termsFor(facts, terms).map(proven).find(Boolean);
  if (admitting === undefined)
    return { record, doubt: whyNoTerm(facts) ?? doubt ?? NOT_FOUND, admitting: null };
  return doubt === null ? within(admitting) : { record, doubt, admitting };
}

const NOT_FOUND = 'No record was found with which it passes.';

/** A term of the record itself that turns this very address away: what its owner wrote on purpose. */
function turnedAway(before: SpfEvaluation | null): string | null {
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
  const published = publishedTerms(spf);
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
