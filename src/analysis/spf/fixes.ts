import { ipTerm, senderTerm } from '../advice/fill.ts';
import { type Facts, known, type SpfFacts } from '../facts.ts';
import { formatList } from '../format.ts';
import { ifKnown, thenLookup } from '../lookup-result.ts';
import {
  addTerm,
  closeRecord,
  correctRecord,
  endWithFail,
  mergeRecords,
  ROOMY_OCTETS,
  readAsSpf,
  replaceTerms,
  splitRecord,
  termsOf,
} from './correct.ts';
import { isQuerying, MAX_LOOKUPS, MAX_VOID_LOOKUPS, parseSpf } from './parse.ts';
import { type Relief, relieveVoids } from './void-lookups.ts';

export const spfRecordsOf = ({ report }: SpfFacts): readonly string[] =>
  report.records ?? (report.record ? [report.record] : []);

/** The record to correct, its text mended: the one there is, or all in one. */
const meantRecord = (spf: SpfFacts): string => {
  const records = spfRecordsOf(spf);
  return records.length > 1
    ? mergeRecords(records)
    : correctRecord(spf.report.record ?? records[0] ?? readAsSpf(spf.lookalike ?? 'v=spf1'));
};

/**
 * The sender's own record with all that is known to be wrong put right, and the sender let in. Every
 * fix prints it, so that none brings back what another has mended.
 */
export function correctSpf(spf: SpfFacts, facts: Facts): Relief {
  const own = meantRecord(spf);
  const { brokenTerms, wideTerms, effectiveAll, voidTerms } = spf.corrected ?? spf;
  const gone = [
    ...wideTerms.map(({ top }) => top),
    ...brokenTerms.flatMap(({ term, isOfSender }) => (isOfSender ? [] : [term])),
  ];
  const sound = closeRecord(withoutTerms(own, gone), effectiveAll);
  const relief = relieveVoids(sound, voidTerms);
  return { ...relief, record: letSenderIn(relief, own, spf, facts) };
}

/** The corrected record, ended by `-all`. */
export const endStrictly = (spf: SpfFacts, facts: Facts): string =>
  endWithFail(correctSpf(spf, facts).record);

/** What lets the sender in: what the record has already has not. */
const newTerm = (record: string, facts: Facts): string => {
  const term = senderTerm(facts);
  return termsOf(record).includes(term) ? ipTerm(facts.names.ip) : term;
};

/** The record with the sender's term where nothing comes before it that would keep it out. */
function letSenderIn({ record, left }: Relief, own: string, spf: SpfFacts, facts: Facts): string {
  const { result, matched_term, lookups = 0 } = spf.report;
  const ip = ipTerm(facts.names.ip);
  const terms = termsOf(record);
  const term = newTerm(own, facts);
  if (left.length > MAX_VOID_LOOKUPS) return addTerm(record, term, left[0]?.top);
  if (spf.voidQueries > MAX_VOID_LOOKUPS)
    return addTerm(record, ip, parseSpf(record).find(isQuerying)?.text);
  if (result === 'pass' && matched_term && terms.includes(matched_term)) return record;
  if (matched_term) return addTerm(record, term, matched_term);

  // Nothing decided: there was an error, and the sender's own term had no say.
  const ofSender = brokenOf(spf).find(({ isOfSender }) => isOfSender)?.term;
  const isBlind = lookups > MAX_LOOKUPS || (result === 'permerror' && !isCauseKnown(spf));
  const barrier = parseSpf(record).find(
    ({ kind, name, qualifier }) => kind === 'mechanism' && name !== 'all' && qualifier !== '+',
  );
  const before = isBlind ? terms[0] : (ofSender ?? barrier?.text);
  return before === undefined && terms.includes(ip) ? record : addTerm(record, term, before);
}

/** RFC 7208 §5.2, §6.1: what includes or redirects to no record makes the whole a permerror. */
export const brokenOf = ({ report, brokenTerms }: SpfFacts): SpfFacts['brokenTerms'] =>
  report.result === 'permerror' ? brokenTerms : [];

const isCauseKnown = (spf: SpfFacts): boolean =>
  spfRecordsOf(spf).length > 1 ||
  brokenOf(spf).length > 0 ||
  spf.syntaxFaults.some(({ severity }) => severity === 'fail');

/** A record with those it is split into, when it is long; `isLong`: it cannot be split. */
export function toPublish(record: string, spf: SpfFacts) {
  if (record.length <= ROOMY_OCTETS) return { record, parts: [], isLong: false };
  const split = splitRecord(record, spf.report.domain);
  const lookups = (spf.report.lookups ?? 0) + (split?.parts.length ?? 0);
  return split && lookups <= MAX_LOOKUPS
    ? { ...split, isLong: false }
    : { record, parts: [], isLong: true };
}

/** What to publish, as fixes print it: parts first, and the record that names them last. */
export function inPrint(corrected: string, spf: SpfFacts): string {
  const { record, parts } = toPublish(corrected, spf);
  const own = `TXT ${spf.report.domain} "${record}"`;
  if (parts.length === 0) return own;
  return `${formatList(parts.map((part) => `TXT ${part.name} "${part.record}"`))}, then ${own}`;
}

/** The HELO name's own record with the sender let in, or a new one. */
export function correctHelo(spf: SpfFacts, { names: { ip }, connection }: Facts): string {
  const own = ifKnown(spf.helo)?.record;
  if (own) return addTerm(closeRecord(correctRecord(own), 'unknown'), ipTerm(ip));
  const resolves = ip !== null && ifKnown(connection.heloAddresses)?.includes(ip);
  return `v=spf1 ${resolves ? 'a' : ipTerm(ip)} -all`;
}

/** Left out when there are several: then no one record counts, and no term of any is read. */
export const oneRecord = ({ spf }: Facts) =>
  thenLookup<SpfFacts, SpfFacts>(spf, (value) =>
    spfRecordsOf(value).length > 1 ? undefined : known(value),
  );

const withoutTerms = (record: string, terms: readonly string[]): string =>
  replaceTerms(record, new Map(terms.map((term) => [term, []])));
