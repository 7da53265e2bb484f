import { type Facts, known, type SpfFacts } from '../facts.ts';
import { ipTerm, senderTerm } from '../fill.ts';
import { ifKnown, thenLooked } from '../looked.ts';
import {
  addTerm,
  endWithFail,
  mendTerms,
  mergeRecords,
  ROOMY_OCTETS,
  replaceTerms,
  splitRecord,
  termsOf,
} from '../records/correct-spf.ts';
import { MAX_LOOKUPS } from '../records/spf.ts';

export const recordsOf = ({ report }: SpfFacts): readonly string[] =>
  report.records ?? (report.record ? [report.record] : []);

/** The record to correct: the one there is, or all in one. */
export const ownRecord = (spf: SpfFacts): string => {
  const records = recordsOf(spf);
  return records.length > 1 ? mergeRecords(records) : (spf.report.record ?? records[0] ?? 'v=spf1');
};

/** What lets the sender in: what the record has already has not. */
export const newTerm = (record: string, facts: Facts): string => {
  const term = senderTerm(facts);
  return termsOf(record).includes(term) ? ipTerm(facts.names.ip) : term;
};

/** A corrected record that still lets the sender in, or does so at last. */
export function keepSender(record: string, spf: SpfFacts, facts: Facts): string {
  const { result, matched_term } = spf.report;
  const terms = termsOf(record);
  if (result === 'pass' && matched_term && terms.includes(matched_term)) return record;
  const ip = ipTerm(facts.names.ip);
  // Where nothing decided there was an error, and the sender's own term had no say.
  if (!matched_term && terms.includes(ip)) return record;
  return addTerm(record, newTerm(record, facts), matched_term);
}

/** The record without faults of its text; one that loses its `redirect=` ends by `-all`. */
export function mendFaults(spf: SpfFacts, faults: SpfFacts['syntaxFaults']): string {
  const mended = mendTerms(ownRecord(spf), faults);
  const isOpen = faults.some(({ bad, good }) => /^redirect=/i.test(bad) && good === '');
  return isOpen ? endWithFail(mended) : mended;
}

/** The record with all faults of its text mended, and what has to be published beside it. */
export function correctSyntax(spf: SpfFacts, facts: Facts) {
  const record = keepSender(mendFaults(spf, spf.syntaxFaults), spf, facts);
  if (record.length <= ROOMY_OCTETS) return { record, parts: [], isLong: false };
  const split = splitRecord(record, spf.report.domain);
  const lookups = (spf.report.lookups ?? 0) + (split?.parts.length ?? 0);
  return split && lookups <= MAX_LOOKUPS
    ? { ...split, isLong: false }
    : { record, parts: [], isLong: true };
}

/** The HELO name's own record with the sender let in, or a new one. */
export function correctHelo(spf: SpfFacts, { names: { ip }, connection }: Facts): string {
  const own = ifKnown(spf.helo)?.record;
  if (own) return addTerm(own, ipTerm(ip));
  const resolves = ip !== null && ifKnown(connection.heloAddresses)?.includes(ip);
  return `v=spf1 ${resolves ? 'a' : ipTerm(ip)} -all`;
}

/** Left out when there are several: then no one record counts, and no term of any is read. */
export const oneRecord = ({ spf }: Facts) =>
  thenLooked<SpfFacts, SpfFacts>(spf, (value) =>
    recordsOf(value).length > 1 ? undefined : known(value),
  );

/** The record with some of its terms gone. */
export const withoutTerms = (record: string, terms: readonly string[]): string =>
  replaceTerms(record, new Map(terms.map((term) => [term, []])));
