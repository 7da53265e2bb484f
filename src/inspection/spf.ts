import type { SpfFacts } from '../analysis/authentication-facts.ts';
import { textsOf } from '../analysis/dns-answer.ts';
import { known, type LookupResult, unknown } from '../analysis/lookup-result.ts';
import { intendedRecord, looksLikeSpf } from '../analysis/spf/correct.ts';
import { evaluateSpf, type SpfEvaluation } from '../analysis/spf/evaluate.ts';
import { lintSpf } from '../analysis/spf/lint.ts';
import type { SpfSender } from '../analysis/spf/macro.ts';
import { isSpfRecord, MAX_LOOKUPS, MAX_VOID_LOOKUPS, parseSpf } from '../analysis/spf/parse.ts';
import { queryKey, type SpfAnswers, type SpfQuery } from '../analysis/spf/query.ts';
import { readSpfRecords } from '../analysis/spf/records.ts';
import type { DnsAnswer, Resolver } from '../ports/dns.ts';
import { dnsError, isDomainName } from './dns-results.ts';
import { yieldFor } from './yield.ts';

/** Queries for the counts of one record: a tree that needs more is far over the limit of ten lookups. */
const MAX_QUERIES = 60;

/** The sender as the client names it. An empty domain: the null sender. */
export interface SpfSubject extends Omit<SpfSender, 'helo'> {
  readonly helo: string | null;
}

/** RFC 7208 §2.4: the null sender is judged by its HELO name. */
export function senderOf({ ip, helo, localPart, domain }: SpfSubject): SpfSender {
  const name = (helo ?? '').toLowerCase().replace(/\.$/, '');
  const isNull = domain === '';
  return { ip, helo: name, localPart: isNull ? '' : localPart, domain: isNull ? name : domain };
}

/** SPF of the envelope, or of HELO for a null sender, and the record as a whole. */
export async function lookUpSpf(
  resolver: Resolver,
  subject: SpfSubject,
): Promise<LookupResult<SpfFacts>> {
  const sender = senderOf(subject);
  const { ip, helo, domain } = sender;
  // RFC 7208 §4.3: anything else, such as an address literal, has no SPF and no lookup.
  const isName = isDomainName(domain);
  const [evaluated, heloFacts, txt, type99, below] = await Promise.all([
    evaluateWhole(resolver, sender, new Map()),
    lookUpHeloSpf(resolver, ip, subject.helo && helo),
    isName ? resolver.txt(domain) : ABSENT,
    isName ? resolver.txt(domain, 'SPF') : ABSENT,
    isName ? resolver.txt(`_spf.${domain}`) : ABSENT,
  ]);
  if (txt.status === 'failed') return unknown(dnsError('TXT', domain, txt.error));

  const records = textsOf(txt).filter(isSpfRecord);
  const record = records.length === 1 ? (records[0] ?? null) : null;
  const { evaluation, isComplete, answers } = evaluated;
  const lookalike = records.length > 0 ? undefined : textsOf(txt).find(looksLikeSpf);
  const isMisplaced = records.length === 0 && textsOf(below).some(isSpfRecord);
  const intended = intendedRecord(domain, { records, lookalike, isMisplaced });
  const corrected =
    intended === null || intended === record
      ? undefined
      : await evaluateCorrected(resolver, sender, intended, answers);
  const { lookups, matchedTerm, effectiveAll } = evaluation;
  const voidTerms = evaluation.voidTerms.filter(reachedBefore(record, matchedTerm));
  const voids = voidTerms.length;
  return known({
    report: {
      result: evaluation.result ?? 'temperror',
      domain,
      scope: subject.domain === '' ? 'helo' : 'mailfrom',
      aligned: false,
      record,
      records,
      // Past the limit it does not matter what the rest of the tree would add.
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
      ...(isMisplaced
        ? [{ severity: 'fail' as const, bad: `a record at _spf.${domain}`, good: domain }]
        : []),
      ...(record === null ? [] : lintSpf(record, domain, textsOf(type99).some(isSpfRecord))),
    ],
    heaviest: evaluation.heaviest,
    voidTerms,
    voidQueries: evaluation.voidQueries,
    brokenTerms: evaluation.brokenTerms,
    wideTerms: evaluation.wideTerms,
    effectiveAll,
    ...(corrected && { corrected }),
    evidence: { answers, sender: { ...sender, localPart: '' } },
    ...(lookalike !== undefined && { lookalike }),
    ...(isMisplaced && { isMisplaced }),
  });
}

/**
 * A name made of what is this mail's own says nothing of other mail: it counts as far as a receiver
 * comes.
 */
function reachedBefore(record: string | null, matched: string | null) {
  const terms = parseSpf(record ?? '').map(({ text }) => text);
  const end = record === null || matched === null ? terms.length : terms.indexOf(matched);
  return ({ isOfSender, top }: SpfEvaluation['voidTerms'][number]): boolean =>
    !isOfSender || terms.indexOf(top) <= end;
}

const ABSENT = { status: 'nxdomain', cnames: [] } as const;

async function lookUpHeloSpf(
  resolver: Resolver,
  ip: string,
  helo: string | null,
): Promise<SpfFacts['helo']> {
  if (helo === null) return unknown('connection: the HELO name is not known');
  if (!isDomainName(helo)) return known({ result: 'none', record: null });
  const sender = { ip, helo, localPart: '', domain: helo };
  const [{ evaluation }, txt] = await Promise.all([
    evaluateWhole(resolver, sender, new Map(), 0),
    resolver.txt(helo),
  ]);
  if (txt.status === 'failed') return unknown(dnsError('TXT', helo, txt.error));
  const result = evaluation.result ?? 'temperror';
  return known({ result, record: textsOf(txt).find(isSpfRecord) ?? null });
}

type Answers = Map<string, SpfAnswers extends ReadonlyMap<string, infer A> ? A : never>;

interface Evaluated {
  readonly evaluation: SpfEvaluation;
  /** Every record of the tree answered. */
  readonly isComplete: boolean;
  readonly answers: Answers;
}

/**
 * Evaluates a record to its end, a level of its tree at a time.
 *
 * @param answers what is known, to which is added
 * @param maxQueries for the counts; the result asks what it needs
 */
export async function evaluateWhole(
  resolver: Resolver,
  sender: SpfSender,
  answers: Answers,
  maxQueries = MAX_QUERIES,
): Promise<Evaluated> {
  for (;;) {
    const evaluation = evaluateSpf(sender.domain, answers, sender);
    const { needed, wanted, isSilent } = evaluation;
    const queries = [...needed, ...wanted.slice(0, Math.max(0, maxQueries - answers.size))];
    if (queries.length === 0)
      return { evaluation, isComplete: wanted.length === 0 && !isSilent, answers };
    const found = await Promise.all(queries.map(({ name, type }) => resolver.ask(name, type)));
    for (const [i, query] of queries.entries()) {
      const answer = found[i];
      if (!answer) continue;
      answers.set(queryKey(query), answer);
      if (query.type === 'TXT') await readAhead(answer as DnsAnswer<readonly string[]>, sender.ip);
    }
  }
}

/** Long records are read one a turn: the evaluation comes to those of a whole level at once. */
async function readAhead(answer: DnsAnswer<readonly string[]>, ip: string): Promise<void> {
  await yieldFor(textsOf(answer));
  readSpfRecords(answer, ip);
}

/**
 * What the record would be with its text corrected, or several in one: a corrected term leads where
 * nobody has asked, and a fix must not print what lets everybody in.
 */
async function evaluateCorrected(
  resolver: Resolver,
  sender: SpfSender,
  corrected: string,
  answers: Answers,
): Promise<SpfFacts['corrected']> {
  const query: SpfQuery = { name: sender.domain, type: 'TXT' };
  const published = { status: 'found' as const, records: [[corrected]] };
  const known = new Map([...answers, [queryKey(query), published]]);
  const { evaluation } = await evaluateWhole(resolver, sender, known);
  // What a corrected term leads to is asked once, and proves the fix later.
  for (const [key, answer] of known) if (!answers.has(key)) answers.set(key, answer);
  const { voidTerms, brokenTerms, wideTerms, effectiveAll } = evaluation;
  return { voidTerms, brokenTerms, wideTerms, effectiveAll };
}
