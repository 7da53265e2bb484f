import { doubtAbout } from '../advice/ownership.ts';
import type { SpfFacts } from '../authentication-facts.ts';
import type { Facts } from '../facts.ts';
import { formatList } from '../format.ts';
import { ifKnown } from '../lookup-result.ts';
import { publicIp } from '../names/sending-ip.ts';
import { isSharedPool, poolTerm } from '../names/shared-pools.ts';
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
  /** What to ask before the sender is let in; null: it is in, on this mail's own answers. */
  readonly doubt: string | null;
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

interface Admission {
  readonly record: string;
  readonly doubt: string | null;
}

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
  if (passes(before) || before?.result === 'temperror') return { record, doubt: null };
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
  if (moved) return { record: moved, doubt: null };
  const doubt = turnedAway(before) ?? doubtAbout(facts);
  if (doubt !== null) return { record, doubt: askWhose(facts, doubt) };
  const admitted = termsFor(facts, terms).map(proven).find(Boolean);
  return admitted ? { record: admitted, doubt: null } : { record, doubt: whyNoTerm(facts) };
}

/** A term of the record itself that turns this very address away: what its owner wrote on purpose. */
function turnedAway(before: SpfEvaluation | null): string | null {
  const term = before?.matchedTerm ?? '';
  return /^-(?!all$)/i.test(term) ? `your record turns it away by ${cut(term)}` : null;
}

/** The term that lists the sender: what a shared pool documents, never one of its addresses. */
function termsFor(facts: Facts, present: readonly string[]): readonly string[] {
  const pool = poolNameOf(facts);
  if (pool !== undefined)
    return [poolTerm(pool) ?? []].flat().filter((term) => !present.includes(term));
  const ip = publicIp(facts.names.ip);
  return ip === null ? [] : [`${ip.includes(':') ? 'ip6' : 'ip4'}:${ip}`];
}

/** The confirmed name by which the sending IP belongs to a shared pool. */
const poolNameOf = ({ connection }: Facts): string | undefined =>
  ifKnown(connection.forward)?.confirmedNames.find(isSharedPool);

function whyNoTerm(facts: Facts): string {
  const pool = poolNameOf(facts);
  const { ip } = facts.names;
  if (pool !== undefined)
    return `Many senders share ${ip} (${pool}), so it is not added to your record. Ask the service that owns it which SPF term or return path its customers use.`;
  return publicIp(ip) === null
    ? `${ip ?? 'The sending address'} is not a public address, so receivers see another one. Find out which, and add it to your record.`
    : askWhose(facts, 'no record was found with which it passes');
}

const askWhose = ({ names: { ip } }: Facts, doubt: string): string =>
  `Find out first whether this mail is yours: ${ip} is not added to your record, because ${doubt}. If the mail is yours, add ${ip}. If not, somebody else uses your domain.`;

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
