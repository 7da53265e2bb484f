import { known, type Looked, type SpfFacts, unknown } from '../../analysis/facts.ts';
import { textsOf } from '../../analysis/records/answer.ts';
import { isSpfRecord } from '../../analysis/records/spf.ts';
import { lintSpf } from '../../analysis/records/spf-lint.ts';
import type { SpfSender } from '../../analysis/records/spf-macro.ts';
import {
  questionKey,
  type SpfAnswers,
  type SpfQuestion,
  type SpfWalk,
  walkSpf,
} from '../../analysis/records/spf-walk.ts';
import type { Resolver } from '../../ports/dns.ts';
import type { EvaluateSpf, SpfEvaluation } from '../../ports/reading.ts';
import { dnsError } from './looked-up.ts';
import { findMatchedTerm } from './spf-match.ts';

/** Questions of one walk: a tree that needs more is far over the limit of ten look-ups. */
const MAX_QUESTIONS = 60;

/** RFC 7208 §4.6.4. Past these it does not matter what the rest of the tree would add. */
const MAX_LOOKUPS = 10;
const MAX_VOID_LOOKUPS = 2;

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
): Promise<Looked<SpfFacts>> {
  const { ip, localPart, domain: envelopeDomain } = subject;
  const helo = (subject.helo ?? '').toLowerCase().replace(/\.$/, '');
  const domain = envelopeDomain || helo;
  const heloIdentity = { ip, helo, localPart: '', domain: '' };
  const identity = { ip, helo, localPart, domain: envelopeDomain };
  const isName = isDomainName(domain);
  const [evaluation, heloFacts, { walk, complete }, txt, type99, below] = await Promise.all([
    evaluate(identity, resolver),
    lookUpHeloSpf(resolver, () => evaluate(heloIdentity, resolver), subject.helo && helo),
    isName ? walkWhole(resolver, { ip, helo, domain }) : NO_WALK,
    isName ? resolver.txt(domain) : ABSENT,
    isName ? resolver.txt(domain, 'SPF') : ABSENT,
    isName ? resolver.txt(`_spf.${domain}`) : ABSENT,
  ]);
  if (txt.status === 'failed') return unknown(dnsError('TXT', domain, txt.error));

  const records = textsOf(txt).filter(isSpfRecord);
  const record = records.length === 1 ? (records[0] ?? null) : null;
  const { lookups } = walk;
  const voids = walk.voidTerms.length;
  const { result } = evaluation;
  const matched =
    record === null
      ? null
      : await findMatchedTerm(resolver, evaluate, identity, { domain, record, result });
  const misplaced = records.length === 0 && textsOf(below).some(isSpfRecord);
  return known({
    report: {
      result,
      domain,
      scope: envelopeDomain === '' ? 'helo' : 'mailfrom',
      aligned: false,
      record,
      records,
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
    voidTerms: walk.voidTerms,
    brokenTerms: walk.brokenTerms,
    wideTerms: walk.wideTerms,
    effectiveAll: walk.effectiveAll,
  });
}

const ABSENT = { status: 'nxdomain', cnames: [] } as const;
const NOBODY = { ip: '', helo: '', domain: '' };
const NO_WALK = { walk: walkSpf('', new Map(), NOBODY), complete: true };

/** RFC 7208 §4.3: anything else, such as an address literal, has no SPF and no look-up. */
const isDomainName = (name: string): boolean =>
  name.includes('.') && /^[a-z0-9._-]+$/i.test(name) && !/^[\d.]+$/.test(name);

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

/** Walks a record to its end, a level at a time; incomplete when a record of it did not answer. */
async function walkWhole(
  resolver: Resolver,
  sender: SpfSender,
): Promise<{ readonly walk: SpfWalk; readonly complete: boolean }> {
  const answers = new Map<string, SpfAnswers extends ReadonlyMap<string, infer A> ? A : never>();
  for (;;) {
    const walk = walkSpf(sender.domain, answers, sender);
    const room = MAX_QUESTIONS - answers.size;
    if (walk.wanted.length === 0 || room <= 0) {
      // RFC 7208 §5.5: where a reverse name cannot be had, ptr does not match, and that is all.
      const failed = [...answers].some(
        ([key, { status }]) => status === 'failed' && !key.startsWith('PTR '),
      );
      return { walk, complete: walk.wanted.length === 0 && !failed };
    }
    const asked = walk.wanted.slice(0, room);
    const said = await Promise.all(asked.map((question) => askSpf(resolver, question)));
    asked.forEach((question, i) => {
      const answer = said[i];
      if (answer) answers.set(questionKey(question), answer);
    });
  }
}

const askSpf = (resolver: Resolver, { name, type }: SpfQuestion) => resolver.ask(name, type);
