/**
 * Evaluates an SPF record, published or proposed, for one sender and as a whole, finds the term that decided
 * the result, and tries the records that a fix may propose.
 */

import { type Answer, isAbsent, textsOf } from '../analysis/dns-answer.ts';
import type { Facts } from '../analysis/facts.ts';
import { known } from '../analysis/lookup-result.ts';
import type { SpfFacts } from '../analysis/spf/facts.ts';
import {
  isAll,
  isQuerying,
  isSpfRecord,
  MAX_LOOKUPS,
  parseTerm,
  type Qualifier,
  type SpfTerm,
  specOf,
  textsOfTerms,
} from '../analysis/spf/parse.ts';
import { makePlan } from '../analysis/spf/plan.ts';
import { holderOf } from '../analysis/spf/sender-term.ts';
import type { SpfResult } from '../domain/report/authentication.ts';
import type { SpfVerdict } from '../ports/check-host.ts';
import { expandSpec, type SpfAbout, toTxt, withRepairs } from './spf-target.ts';
import { type SpfTree, walkSpf } from './spf-tree.ts';

/** The SPF result for one sender. */
export interface SpfJudgement extends Pick<SpfVerdict, 'result' | 'error'> {
  /**
   * The term of the domain's own record that decided the result. Null if no term did, or if there was an
   * error.
   */
  readonly matchedTerm: string | null;
  /** Queries that found nothing before the result was known, except those for records. */
  readonly voidQueries: SpfFacts['voidQueries'];
}

export interface SpfEvaluation extends SpfJudgement, SpfTree {}

/**
 * Evaluates the domain's record, or another record instead of it, both for this sender's email and as a
 * whole.
 */
export async function evaluateSpf(about: SpfAbout, record?: string): Promise<SpfEvaluation> {
  const answering = record === undefined ? about : { ...about, ask: instead(about, record) };
  const reached = Promise.withResolvers<ReadonlySet<string>>();
  const judged = judgeSpf(answering, reached.resolve);
  const [judgement, tree] = await Promise.all([judged, walkSpf(answering, reached.promise)]);
  return { ...judgement, ...tree };
}

/** Returns the given record for queries for the domain's own. */
const instead =
  ({ ask, sender }: SpfAbout, record: string): SpfAbout['ask'] =>
  async (name, type) =>
    type === 'TXT' && name === sender.domain ? toTxt(record) : ask(name, type);

/** @param onReached called with the lookups that were made, each as `type name` */
export async function judgeSpf(
  about: SpfAbout,
  onReached: (reached: ReadonlySet<string>) => void = () => {},
): Promise<SpfJudgement> {
  const answers = new Map<string, Answer<unknown>>();
  const verdict = await about.checkHost(about.sender, async (name, type) => {
    const answer = await about.ask(name, type);
    answers.set(`${type} ${name}`, answer);
    return answer;
  });
  onReached(new Set(answers.keys()));
  const texts = answers.get(`TXT ${about.sender.domain}`) as Answer<readonly string[]> | undefined;
  const record = textsOf(texts).find(isSpfRecord);
  const voids = [...answers].filter(([key, answer]) => !key.startsWith('TXT') && isAbsent(answer));
  const decided = record === undefined ? UNDECIDED : await findDecider(about, record, verdict);
  return {
    ...(decided.isOver ? OVER : { result: verdict.result, error: verdict.error }),
    matchedTerm: decided.term,
    voidQueries: voids.length,
  };
}

const UNDECIDED = { term: null, isOver: false };

/**
 * RFC 7208 §4.6.4 counts all terms that need a lookup, but the engine counts only those that have a name to
 * look up.
 */
const OVER = { result: 'permerror', error: `more than ${MAX_LOOKUPS} lookups` } as const;

const QUALIFIERS: Readonly<Partial<Record<SpfResult, Qualifier>>> = {
  ...{ pass: '+', fail: '-', softfail: '~', neutral: '?' },
};

/** Returns the first term that matches on its own, among those with the same result as the record. */
async function findDecider(
  about: SpfAbout,
  record: string,
  { result, lookups }: SpfVerdict,
): Promise<{ readonly term: string | null; readonly isOver: boolean }> {
  const qualifier = QUALIFIERS[result];
  if (qualifier === undefined) return UNDECIDED;
  const holdsSender = holderOf(about.sender.ip);
  const terms = textsOfTerms(record).map(parseTerm);
  const last = terms.findLast(
    (term) =>
      (isQuerying(term) || isAll(term) || holdsSender(term)) &&
      (term.kind === 'modifier' || term.qualifier === qualifier),
  );
  // If no other term can have led to the result, no trial is needed. A "neutral" result can also come about
  // without any term.
  const isOnly = (term: SpfTerm) => term === last && result !== 'neutral';
  let count = lookups;
  for (const term of terms) {
    if (isAll(term) || holdsSender(term)) return { term: term.text, isOver: false };
    if (term.kind !== 'mechanism' || !isQuerying(term)) continue;
    if (!(await hasName(about, term))) count += 1;
    if (count > MAX_LOOKUPS) return { term: null, isOver: true };
    if (term.qualifier === qualifier && (isOnly(term) || (await matches(about, term))))
      return { term: term.text, isOver: false };
  }
  const redirect = terms.find(({ kind, name }) => kind === 'modifier' && name === 'redirect');
  return { term: redirect?.text ?? null, isOver: false };
}

const hasName = async (about: SpfAbout, term: SpfTerm): Promise<boolean> => {
  const { domain } = about.sender;
  return (await expandSpec(about, specOf(term) || domain, domain)) !== null;
};

async function matches(about: SpfAbout, { text }: SpfTerm): Promise<boolean> {
  const ask = instead(about, `v=spf1 ${text.replace(/^[+\-~?]/, '')}`);
  return (await about.checkHost(about.sender, ask)).result === 'pass';
}

/** Adds to the facts the engine's results for each record in the plan of a corrected record. */
export async function withSpfTrials(facts: Facts, about: SpfAbout | null): Promise<Facts> {
  if (facts.spf.status === 'unknown' || about === null) return facts;
  const spf = facts.spf.value;
  const trials = new Map(spf.trials);
  const repaired = withRepairs(about, spf.repairs ?? []);
  const planning = makePlan(spf, facts);
  let step = planning.next();
  while (!step.done) {
    const trial = trials.get(step.value) ?? (await evaluateSpf(repaired, step.value));
    trials.set(step.value, trial);
    step = planning.next(trial);
  }
  return { ...facts, spf: known({ ...spf, trials }) };
}
