import { isAbsent, textsOf } from '../analysis/dns-answer.ts';
import { known, type LookupResult, type SpfFacts, unknown } from '../analysis/facts.ts';
import { looksLikeSpf } from '../analysis/spf/correct.ts';
import { lintSpf } from '../analysis/spf/lint.ts';
import type { SpfSender } from '../analysis/spf/macro.ts';
import { isSpfRecord, MAX_LOOKUPS, MAX_VOID_LOOKUPS, parseSpf } from '../analysis/spf/parse.ts';
import { readSpfRecords } from '../analysis/spf/parsed-records.ts';
import { questionKey, type SpfAnswers, type SpfQuestion } from '../analysis/spf/query.ts';
import { type SpfWalk, walkSpf } from '../analysis/spf/walk.ts';
import type { DnsAnswer, Resolver } from '../ports/dns.ts';
import type { EvaluateSpf, SpfEvaluation } from '../ports/reading.ts';
import { dnsError, isDomainName } from './deadlines.ts';
import { findMatchedTerm } from './spf-matched-term.ts';
import { essenceFor } from './spf-trim-answers.ts';
import { walkMeant } from './spf-walk-corrected.ts';
import { turnFor } from './yield.ts';

/** Questions of one walk: a tree that needs more is far over the limit of ten lookups. */
const MAX_QUESTIONS = 60;

export interface SpfSubject {
  readonly ip: string;
  readonly helo: string | null;
  readonly localPart: string;
  /** Empty: the null sender. */
  readonly domain: string;
}

/** SPF of the envelope, or of HELO for a null sender, and the record as a whole. */
export async function lookUpSpf(
  resolver: Resolver,
  evaluate: EvaluateSpf,
  subject: SpfSubject,
): Promise<LookupResult<SpfFacts>> {
  const { ip, localPart, domain: envelopeDomain } = subject;
  const helo = (subject.helo ?? '').toLowerCase().replace(/\.$/, '');
  const domain = envelopeDomain || helo;
  const heloIdentity = { ip, helo, localPart: '', domain: '' };
  const identity = { ip, helo, localPart, domain: envelopeDomain };
  // RFC 7208 §4.3: anything else, such as an address literal, has no SPF and no lookup.
  const isName = isDomainName(domain);
  const heard: Answers = new Map();
  const answers: Answers = new Map();
  const sender = { ip, helo, localPart, domain };
  const walkNow = () => (isName ? walkWhole(resolver, sender, answers) : NO_WALK);
  const essence = essenceFor(ip);
  const essential = essence(resolver);
  const [evaluation, heloFacts, , txt, type99, below] = await Promise.all([
    evaluate(identity, essence(listenIn(resolver, heard))),
    lookUpHeloSpf(resolver, () => evaluate(heloIdentity, essential), subject.helo && helo),
    walkNow(),
    isName ? resolver.txt(domain) : ABSENT,
    isName ? resolver.txt(domain, 'SPF') : ABSENT,
    isName ? resolver.txt(`_spf.${domain}`) : ABSENT,
  ]);
  if (txt.status === 'failed') return unknown(dnsError('TXT', domain, txt.error));

  const records = textsOf(txt).filter(isSpfRecord);
  const record = records.length === 1 ? (records[0] ?? null) : null;
  // Names with the local part are not for the walk to ask: it follows where the evaluation came.
  for (const [key, answer] of heard) answers.set(key, answer);
  const { walk, complete } = await walkNow();
  const lookalike = records.length > 0 ? undefined : textsOf(txt).find(looksLikeSpf);
  const written = lookalike === undefined ? records : [lookalike];
  const meant = await walkMeant(domain, written, answers, (known) =>
    walkWhole(resolver, sender, known as Answers),
  );
  const { lookups } = walk;
  const { result } = evaluation;
  const matched =
    record === null
      ? null
      : await findMatchedTerm(essential, evaluate, identity, { domain, record, result });
  const voidTerms = walk.voidTerms.filter(
    ({ isOfSender, top }) => !isOfSender || record === null || isBefore(top, matched, record),
  );
  const voids = voidTerms.length;
  const misplaced = records.length === 0 && textsOf(below).some(isSpfRecord);
  return known({
    report: {
      result,
      domain,
      scope: envelopeDomain === '' ? 'helo' : 'mailfrom',
      aligned: false,
      record,
      records,
      // Past the limit it does not matter what the rest of the tree would add.
      ...((complete || lookups > MAX_LOOKUPS) && { lookups }),
      ...((complete || voids > MAX_VOID_LOOKUPS) && { void_lookups: voids }),
      all: walk.effectiveAll === 'unknown' ? null : walk.effectiveAll,
      tree: walk.tree.map((entry) => ({ ...entry })),
      matched_term: matched,
      ...(heloFacts.status === 'known' && { helo_result: heloFacts.value.result }),
      error: evaluation.error,
    },
    helo: heloFacts,
    syntaxFaults: [
      ...(misplaced
        ? [{ severity: 'fail' as const, bad: `a record at _spf.${domain}`, good: domain }]
        : []),
      ...(record === null ? [] : lintSpf(record, domain, textsOf(type99).some(isSpfRecord))),
    ],
    heaviest: walk.heaviest,
    voidTerms,
    voidQuestions: [...heard].filter(([key, answer]) => !key.startsWith('TXT ') && isAbsent(answer))
      .length,
    brokenTerms: walk.brokenTerms,
    wideTerms: walk.wideTerms,
    effectiveAll: walk.effectiveAll,
    ...(meant && { meant }),
    ...(lookalike !== undefined && { lookalike }),
  });
}

/**
 * A name made of what is this mail's own says nothing of other mail: it counts as far as a receiver
 * comes.
 */
function isBefore(top: string, matched: string | null, record: string): boolean {
  const terms = parseSpf(record).map(({ text }) => text);
  return matched === null || terms.indexOf(top) <= terms.indexOf(matched);
}

/** The resolver, which keeps what was said as well. */
const listenIn = (resolver: Resolver, heard: Answers): Resolver => ({
  ...resolver,
  ask: async (name, type) => {
    const answer = await resolver.ask(name, type);
    const question = { name: name.toLowerCase().replace(/\.$/, ''), type };
    heard.set(questionKey(question as SpfQuestion), answer);
    return answer;
  },
});

const ABSENT = { status: 'nxdomain', cnames: [] } as const;
const NOBODY = { ip: '', helo: '', localPart: '', domain: '' };
const NO_WALK = { walk: walkSpf('', new Map(), NOBODY), complete: true };

async function lookUpHeloSpf(
  resolver: Resolver,
  evaluate: () => Promise<SpfEvaluation>,
  helo: string | null,
): Promise<SpfFacts['helo']> {
  if (helo === null) return unknown('connection: the HELO name is not known');
  if (!isDomainName(helo)) return known({ result: 'none', record: null });
  const [{ result }, txt] = await Promise.all([evaluate(), resolver.txt(helo)]);
  if (txt.status === 'failed') return unknown(dnsError('TXT', helo, txt.error));
  return known({ result, record: textsOf(txt).find(isSpfRecord) ?? null });
}

type Answers = Map<string, SpfAnswers extends ReadonlyMap<string, infer A> ? A : never>;

/**
 * Walks a record to its end, a level at a time; incomplete when a record of it did not answer.
 *
 * @param answers what is known, to which is added
 */
async function walkWhole(
  resolver: Resolver,
  sender: SpfSender,
  answers: Answers,
): Promise<{ readonly walk: SpfWalk; readonly complete: boolean }> {
  for (;;) {
    const walk = walkSpf(sender.domain, answers, sender);
    const room = MAX_QUESTIONS - answers.size;
    if (walk.wanted.length === 0 || room <= 0) {
      return { walk, complete: walk.wanted.length === 0 && !walk.isSilent };
    }
    const asked = walk.wanted.slice(0, room);
    const said = await Promise.all(asked.map((question) => askSpf(resolver, question)));
    for (const [i, question] of asked.entries()) {
      const answer = said[i];
      if (!answer) continue;
      answers.set(questionKey(question), answer);
      if (question.type === 'TXT') await readAhead(answer as DnsAnswer<readonly string[]>);
    }
  }
}

/** Records are read one a turn: the walk comes to those of a whole level at once. */
async function readAhead(answer: DnsAnswer<readonly string[]>): Promise<void> {
  await turnFor(textsOf(answer));
  readSpfRecords(answer);
}

const askSpf = (resolver: Resolver, { name, type }: SpfQuestion) => resolver.ask(name, type);
