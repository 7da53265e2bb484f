/** Finds the smallest change of an SPF record that lets the sender of an email pass. */

import { doubtAbout } from '../advice/whose-server.ts';
import type { Facts } from '../facts.ts';
import { addTerm, termsOf } from './correct.ts';
import type { SpfTrial } from './facts.ts';
import { isQuerying, parseSpf } from './parse.ts';
import { holderOf, termsFor, turnedAway, whyNoTerm } from './sender-term.ts';

/** A record that lets the sender pass, or what the owner must find out first. */
export interface Admission {
  readonly record: string;
  /**
   * The question to answer before the sender is authorized. Null if the DNS answers seen for this email leave
   * no doubt.
   */
  readonly doubt: string | null;
  /**
   * The record that authorizes the sender too, for readers who know the answer to `doubt`. Null if there is
   * none.
   */
  readonly admitting: string | null;
}

const passes = (trial: SpfTrial | null): boolean => trial?.result === 'pass';

/** Number of terms that are tried separately. A normal record has no more. */
const MAX_TRIED = 30;

/**
 * Returns the first candidate record that passes with the DNS answers seen for this email. The candidates are
 * the record as it is, with one of its terms moved, or with a new term at the end, before the term that
 * decides, or in front. If none passes, the record stays as it is.
 */
export function* letSenderIn(
  facts: Facts,
  record: string,
  before: SpfTrial | null,
): Generator<string, Admission, SpfTrial | null> {
  // A part of the record for which no answer came may well list the sender.
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
  const places = [before?.matchedTerm ?? undefined, barrier];
  const proven = (term: string, behind = -1) =>
    firstPassing(
      [undefined, ...places, terms[behind + 1]]
        .filter((place) => place === undefined || terms.indexOf(place) > behind)
        .map((place) => addTerm(record, term, place)),
    );
  // Finds a term that lists the sender but that receivers do not reach, for example because ten lookups come
  // before it. If the owner rejects this address before a range that contains it, that order is intended.
  const refused = turnedAway(before);
  const holdsSender = holderOf(facts.names.ip ?? '');
  const own = (refused === null ? parseSpf(record) : [])
    .filter((term) => isQuerying(term) || holdsSender(term))
    .slice(0, MAX_TRIED)
    .map(({ text }) => text);
  const alone = yield* firstPassing(own.map((text) => `v=spf1 ${text} -all`));
  const [found = ''] = termsOf(alone ?? '');
  // A term stays behind those that reject servers, which it may contain.
  const guard = terms.slice(0, terms.indexOf(found)).findLastIndex(isRejecting);
  const moved = alone === undefined ? undefined : yield* proven(found, guard);
  if (moved !== undefined) return within(moved);
  const doubt = refused ?? doubtAbout(facts);
  let admitting: string | undefined;
  for (const term of termsFor(facts, terms)) admitting ??= yield* proven(term);
  if (admitting === undefined)
    return { record, doubt: whyNoTerm(facts) ?? doubt ?? NOT_FOUND, admitting: null };
  return doubt === null ? within(admitting) : { record, doubt, admitting };
}

const isRejecting = (term: string): boolean => /^-(?!all$)/i.test(term);

function* firstPassing(
  records: readonly string[],
): Generator<string, string | undefined, SpfTrial | null> {
  for (const record of new Set(records)) if (passes(yield record)) return record;
  return undefined;
}

const NOT_FOUND = 'We found no SPF record that would let this email pass.';
