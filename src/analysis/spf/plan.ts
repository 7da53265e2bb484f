import { doubtAbout } from '../advice/ownership.ts';
import type { SpfFacts } from '../authentication-facts.ts';
import type { Facts } from '../facts.ts';
import { formatList } from '../format.ts';
import { ifKnown } from '../lookup-result.ts';
import { publicIp } from '../names/sending-ip.ts';
import { poolTerm } from '../names/shared-pools.ts';
import {
  addTerm,
  closeRecord,
  correctRecord,
  mergeRecords,
  ROOMY_OCTETS,
  readAsSpf,
  replaceTerms,
  splitRecord,
  termsOf,
} from './correct.ts';
import { correctTerm } from './correct-term.ts';
import { evaluateSpf, type SpfEvaluation } from './evaluate.ts';
import { MAX_LOOKUPS, parseSpf } from './parse.ts';
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
  /** The term that lets the sender in; null: it is in already, or may not be let in. */
  readonly added: string | null;
  /** Why the sender is not let in; null: it is. */
  readonly doubt: string | null;
  readonly relief: Relief;
}

export const spfRecordsOf = ({ report }: SpfFacts): readonly string[] =>
  report.records ?? (report.record ? [report.record] : []);

/** The record as its text was intended: the one there is, or all in one. */
function intendedRecord(spf: SpfFacts): string {
  const records = spfRecordsOf(spf);
  if (records.length > 1) return mergeRecords(records);
  return correctRecord(spf.report.record ?? records[0] ?? readAsSpf(spf.lookalike ?? 'v=spf1'));
}

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
  const intended = intendedRecord(spf);
  const { brokenTerms, wideTerms, effectiveAll, voidTerms } = spf.corrected ?? spf;
  const broken = brokenTerms.filter(({ isOfSender }) => !isOfSender);
  const gone = new Map<string, readonly string[]>([
    ...wideTerms.map(({ top }) => [top, []] as const),
    ...broken.map(({ term }) => [term, []] as const),
  ]);
  const sound = closeRecord(replaceTerms(intended, gone), gone.size > 0 ? null : effectiveAll);
  const relieved = relieveVoids(sound, voidTerms);
  const relief = { ...relieved, record: closeRecord(relieved.record, effectiveAll) };
  const before = evaluateOn(spf, relief.record);
  // Of a record over the limit only its owner knows which services are still used.
  const isOver = (spf.report.lookups ?? 0) > MAX_LOOKUPS && (before?.lookups ?? 11) > MAX_LOOKUPS;
  const doubt = passes(before) || isOver ? null : doubtAbout(facts);
  const admitted =
    doubt === null && !isOver ? letSenderIn(spf, facts, relief.record, before) : null;
  const record = admitted?.record ?? relief.record;
  const reasons = [
    ...broken.map(({ term, why }) => [term, why] as const),
    ...wideTerms.map(({ top }) => [top, 'it lets in nearly everybody'] as const),
  ];
  return {
    ...toPublish(record, spf),
    changes: describeChanges(spf, record, new Map(reasons)),
    added: admitted?.term ?? null,
    doubt,
    relief,
  };
}

/** Terms that let the sender in, the smallest first: none that its record has already. */
function termsFor({ names, connection }: Facts, record: string): readonly string[] {
  const ip = publicIp(names.ip);
  const pool = ifKnown(connection.forward)?.confirmedNames.flatMap((name) => poolTerm(name) ?? []);
  const present = termsOf(record).map((term) => term.toLowerCase());
  return [
    ...(pool ?? []).filter((term) => !present.includes(term)).slice(0, 1),
    ...(ip === null ? [] : [`${ip.includes(':') ? 'ip6' : 'ip4'}:${ip}`]),
  ];
}

interface Admission {
  readonly record: string;
  readonly term: string | null;
}

/** The first candidate that passes: as it is, then a term at the end, before what decides, in front. */
function letSenderIn(
  spf: SpfFacts,
  facts: Facts,
  record: string,
  before: SpfEvaluation | null,
): Admission {
  if (passes(before)) return { record, term: null };
  const terms = termsOf(record);
  const barrier = parseSpf(record).find(
    ({ kind, name, qualifier }) => kind === 'mechanism' && name !== 'all' && qualifier !== '+',
  )?.text;
  const places = [undefined, before?.matchedTerm ?? undefined, barrier, terms[0]];
  const candidates = termsFor(facts, record).flatMap((term) =>
    places.map((place) => ({ term, record: addTerm(record, term, place) })),
  );
  const proven = candidates.find((one) => passes(evaluateOn(spf, one.record)));
  return proven ?? candidates[0] ?? { record, term: null };
}

/** What became of the terms of others: none goes, or becomes another, without being named. */
function describeChanges(
  spf: SpfFacts,
  record: string,
  reasons: ReadonlyMap<string, string>,
): string {
  const kept = new Set(termsOf(record).map((term) => term.toLowerCase()));
  const published = spfRecordsOf(spf).flatMap((text) => [...termsOf(text)]);
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
  if (/^[+?~-]?ptr/i.test(term) || /%\{p/i.test(term)) return 'reverse names are not to be used';
  if (/^redirect=/i.test(term)) return 'it is ignored beside all';
  return 'it leads nowhere or cannot be read';
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
