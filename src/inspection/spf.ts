/**
 * Evaluates SPF for the sender of an email and for its HELO name, and collects the facts about the sender's
 * record, including texts that were meant as one.
 */

import { textsOf } from '../analysis/dns-answer.ts';
import { known, type LookupResult, unknown } from '../analysis/lookup-result.ts';
import { heloName } from '../analysis/names/host-name.ts';
import { intendedRecord } from '../analysis/spf/correct.ts';
import type { SpfFacts } from '../analysis/spf/facts.ts';
import { isSpfRecord, MAX_LOOKUPS, MAX_VOID_LOOKUPS, parseSpf } from '../analysis/spf/parse.ts';
import { createReader } from '../analysis/spf/read-record.ts';
import { lintSpf } from '../analysis/spf/syntax-checks.ts';
import type { CheckHost, SpfSender } from '../ports/check-host.ts';
import type { Resolver } from '../ports/dns.ts';
import { dnsError, isDomainName } from './dns-results.ts';
import { evaluateSpf, judgeSpf, type SpfEvaluation } from './spf-record.ts';
import { readPublished, repairOwn } from './spf-repairs.ts';
import type { SpfAbout } from './spf-target.ts';

/** The sender as the client names it. If the domain is empty, it is the null sender. */
interface SpfSubject extends Omit<SpfSender, 'helo'> {
  readonly helo: string | null;
}

/** Returns the sender that SPF judges: the null sender is judged by its HELO name (RFC 7208 §2.4). */
export function senderOf({ ip, helo, localPart, domain }: SpfSubject): SpfSender {
  const name = heloName(helo);
  const isNull = domain === '';
  return {
    ip,
    helo: name,
    localPart: isNull ? '' : localPart,
    domain: isNull ? name : domain.toLowerCase(),
  };
}

/** Returns the sender that SPF judges, with the engine and the DNS answers for this email. */
export const aboutOf = (
  { checkHost, resolver }: { readonly checkHost: CheckHost; readonly resolver: Resolver },
  subject: SpfSubject,
): SpfAbout => ({
  checkHost,
  ask: resolver.ask,
  sender: senderOf(subject),
  read: createReader(),
});

/**
 * Evaluates SPF for the envelope domain, or for HELO if the sender is null, and reads the record as a whole.
 */
export async function lookUpSpf(
  resolver: Resolver,
  about: SpfAbout,
  { nullSender, helo }: { readonly nullSender: boolean; readonly helo: string | null },
): Promise<LookupResult<SpfFacts>> {
  const { domain } = about.sender;
  // A domain that is not a name, such as an address literal, has no SPF record and needs no lookup (RFC 7208
  // §4.3).
  const isName = isDomainName(domain);
  const [evaluation, heloFacts, txt, type99] = await Promise.all([
    evaluateSpf(about),
    helo === null ? NO_HELO : lookUpHeloSpf(resolver, about),
    isName ? resolver.txt(domain) : ABSENT,
    isName ? resolver.txt(domain, 'SPF') : ABSENT,
  ]);
  if (txt.status === 'failed') return unknown(dnsError('TXT', domain, txt.error));

  const dead = [...evaluation.brokenTerms, ...evaluation.voidTerms].map(({ term }) => term);
  const published = readPublished(txt, new Set(dead));
  const { records, record, lookalike, spaced } = published;
  const below = isName && records.length === 0 ? await resolver.txt(`_spf.${domain}`) : ABSENT;
  const isMisplaced = textsOf(below).some(isSpfRecord);
  const intended = intendedRecord(domain, { ...published, isMisplaced }) ?? undefined;
  // A corrected term leads to names that nobody has looked up yet, and a fix must not print a record that
  // admits everyone.
  const isSame = intended === undefined || intended === record;
  const first = isSame ? evaluation : await evaluateSpf(about, intended);
  const repaired = await repairOwn(about, intended, first);
  const { repairs, wideToday, evaluation: corrected } = repaired;
  const { isComplete, lookups, matchedTerm, effectiveAll } = evaluation;
  const voidTerms = evaluation.voidTerms.filter(reachedBefore(record, matchedTerm));
  const voids = voidTerms.length;
  return known({
    report: {
      result: evaluation.result,
      domain,
      scope: nullSender ? 'helo' : 'mailfrom',
      aligned: false,
      record,
      records: [...records],
      // Once the limit is exceeded, it does not matter what the rest of the tree would add.
      ...((isComplete || lookups > MAX_LOOKUPS) && { lookups }),
      ...((isComplete || voids > MAX_VOID_LOOKUPS) && { void_lookups: voids }),
      all: effectiveAll === 'unknown' ? null : effectiveAll,
      tree: evaluation.tree.map((entry) => ({ ...entry })),
      matched_term: matchedTerm,
      ...(heloFacts.status === 'known' && { helo_result: heloFacts.value.result }),
      error: evaluation.error,
    },
    helo: heloFacts,
    syntaxFaults: [
      ...(isMisplaced ? [{ severity: 'fail' as const, bad: `a record at _spf.${domain}` }] : []),
      ...(record === null ? [] : lintSpf(record, domain, textsOf(type99).some(isSpfRecord))),
    ],
    voidTerms,
    voidQueries: evaluation.voidQueries,
    brokenTerms: evaluation.brokenTerms,
    wideTerms: evaluation.wideTerms,
    effectiveAll,
    ...(corrected !== evaluation && { corrected: { ...corrected, wideToday } }),
    trials: new Map([
      ...(record === null || repairs.length > 0 ? [] : [[record, evaluation] as const]),
      ...(intended === undefined ? [] : [[intended, corrected] as const]),
    ]),
    ...(repairs.length > 0 && { repairs }),
    ...(spaced !== undefined && { spaced }),
    ...(lookalike !== undefined && { lookalike }),
    ...(isMisplaced && { isMisplaced }),
  });
}

/**
 * Returns a function that tells whether a void term counts. A name that was made from this email's own values
 * says nothing about other email, so it counts only if a receiver evaluates the record that far.
 */
function reachedBefore(record: string | null, matched: string | null) {
  const terms = parseSpf(record ?? '').map(({ text }) => text);
  const end = record === null || matched === null ? terms.length : terms.indexOf(matched);
  return ({ isOfSender, top }: SpfEvaluation['voidTerms'][number]): boolean =>
    !isOfSender || terms.indexOf(top) <= end;
}

const ABSENT = { status: 'nxdomain', cnames: [] } as const;

const NO_HELO: SpfFacts['helo'] = unknown('connection: the HELO name is not known');

async function lookUpHeloSpf(resolver: Resolver, about: SpfAbout): Promise<SpfFacts['helo']> {
  const { helo } = about.sender;
  if (!isDomainName(helo)) return known({ result: 'none', record: null });
  const txt = await resolver.txt(helo);
  if (txt.status === 'failed') return unknown(dnsError('TXT', helo, txt.error));
  const record = textsOf(txt).find(isSpfRecord) ?? null;
  if (record === null) return known({ result: 'none', record });
  const sender = { ...about.sender, localPart: '', domain: helo };
  const { result } = await judgeSpf({ ...about, sender });
  return known({ result, record });
}
