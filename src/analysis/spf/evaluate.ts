import type { SpfResult } from '../../domain/report/authentication.ts';
import type { SpfFacts } from '../authentication-facts.ts';
import { type Answer, isAbsent } from '../dns-answer.ts';
import { isTargetName } from './grammar.ts';
import { expandSpec, type SpfSender } from './macro.ts';
import { MAX_EXCHANGES, type Match, matchTerm } from './match.ts';
import { type Below, NONE, type SpfOutcome, toMatch, toOutcome, UNKNOWN } from './outcome.ts';
import { isAll, type Qualifier, type SpfTerm } from './parse.ts';
import {
  otherFamily,
  queryOf,
  reverseOf,
  reverseQuery,
  type SpfAnswers,
  type SpfQuery,
} from './query.ts';
import { type ReadTerm, readSpfRecords, type SpfReading } from './records.ts';
import { createTally, type Place, START, type TreeEntry } from './tally.ts';

/** Levels of `include:` and `redirect=` that are counted; deeper records are cut. */
const MAX_DEPTH = 10;

/** Terms shown; far over the limit of ten lookups a loop is not followed further. */
const MAX_TREE = 100;

/** Macros of the sender's own mail, which is nobody else's business (RFC 7208 §7.2). */
const SECRET = /^[sl]$/;

/** Macros that another mail of the same domain may have other values for. */
const OF_SENDER = /^[slihpv]$/;

const RESULTS: Readonly<Record<Qualifier, SpfResult>> = {
  '+': 'pass',
  '-': 'fail',
  '~': 'softfail',
  '?': 'neutral',
};

/** SPF of one sender, and what the record costs other mail at worst. */
export interface SpfEvaluation
  extends Pick<SpfFacts, 'voidTerms' | 'brokenTerms' | 'wideTerms' | 'effectiveAll'> {
  /** null: `needed` has to be answered first. */
  readonly result: SpfResult | null;
  /** The limit that made it a permerror. */
  readonly error: string | null;
  /** The term of the domain's own record that decided; null: none did, or there was an error. */
  readonly matchedTerm: string | null;
  /** What the result waits for. */
  readonly needed: readonly SpfQuery[];
  /** What the counts wait for besides. Names with the local part are in `needed` alone. */
  readonly wanted: readonly SpfQuery[];
  /** A query that counts had no answer. */
  readonly isSilent: boolean;
  /** Terms of all records together that query the DNS (RFC 7208 §4.6.4). */
  readonly lookups: number;
  /** Terms in the order they are read, with the lookups of each and of all below it. */
  readonly tree: readonly Readonly<TreeEntry>[];
  readonly heaviest: string | null;
  /** Queries before the result, other than for records, that found nothing. */
  readonly voidQueries: number;
}

/**
 * `check_host` of RFC 7208 §4 and the whole tree of a record, in one traversal over answers that are
 * there. A receiver ends at the first match, so only the tree shows what the record costs at worst.
 * Call again with `needed` and `wanted` answered until both are empty.
 */
export function evaluateSpf(domain: string, answers: SpfAnswers, sender: SpfSender): SpfEvaluation {
  const tally = createTally(answers);
  const { tree, askAt } = tally;

  /** A record that was asked for: whether there is exactly one is the caller's to judge. */
  const recordsAt = (at: Place, name: string) => {
    const answer = tally.ask(at, { name, type: 'TXT' }) as Answer<readonly string[]> | undefined;
    return { answer, records: readSpfRecords(answer, sender.ip) };
  };

  function start(): Below {
    // RFC 7208 §4.3.
    if (!isTargetName(domain)) return { ...NONE, outcome: 'none' };
    const { answer, records } = recordsAt(START, domain);
    if (answer === undefined) return UNKNOWN;
    if (answer.status === 'failed') return { ...UNKNOWN, outcome: 'temperror' };
    const [record, ...more] = records;
    if (record === undefined) return { ...NONE, outcome: 'none' };
    return more.length > 0 ? { ...NONE, outcome: 'permerror' } : visit(domain, record, START);
  }

  /** One record, everything below included. */
  function visit(name: string, reading: SpfReading, place: Place): Below {
    let lookups = 0;
    let all: SpfFacts['effectiveAll'] = reading.isWhole ? null : 'unknown';
    let outcome: SpfOutcome | undefined;
    let matched: string | null = null;
    const decide = ({ text, qualifier }: SpfTerm, match: Match) => {
      outcome = match === true ? RESULTS[qualifier] : match === false ? undefined : match;
      if (match === true) matched = text;
    };
    if (place.isReached && reading.fault !== undefined) outcome = 'permerror';
    tally.letInTooMany(place, reading.wide);

    for (const term of reading.terms) {
      const isReached = place.isReached && outcome === undefined;
      if (isAll(term)) all = term.qualifier;
      if (term.asks) {
        const below = follow(term, name, { ...place, isReached });
        lookups += below.lookups;
        if (term.name === 'redirect') all = below.all;
        if (isReached && tally.error() !== null) outcome = 'permerror';
        else if (isReached && term.name === 'redirect') {
          outcome = below.outcome ?? 'open';
          matched = term.text;
        } else if (isReached) decide(term, toMatch(below.outcome));
      } else if (isReached) {
        // `all`, or the network that holds the sender: others are not here.
        decide(term, true);
      }
    }
    if (place.isReached) outcome ??= 'neutral';
    return { lookups, all, outcome, matched };
  }

  /** A term that queries, counted and judged: a record below, or a mechanism as a record of its own. */
  function follow(term: ReadTerm, name: string, place: Place): Below {
    const { letters } = term;
    // RFC 7208 §4.6.4: the names that %{p} needs are a lookup of their own.
    const reverse = letters.includes('p') ? reverseQuery(sender) : null;
    const cost = reverse ? 2 : 1;
    const at: Place = {
      ...place,
      isReached: place.isReached && tally.spend(cost),
      isOfSender: place.isOfSender || letters.some((letter) => OF_SENDER.test(letter)),
      isSecret: place.isSecret || letters.some((letter) => SECRET.test(letter)),
    };
    if (reverse && isAbsent(tally.ask({ ...at, isSecret: false }, reverse)))
      tally.findNothing(term, at);
    const entry: TreeEntry = { term: term.text, lookups: cost, depth: at.path.length };
    tree.push(entry);
    const target = targetOf(term, name, at);
    const isLink = term.name === 'include' || term.name === 'redirect';
    if (target === undefined) return { ...UNKNOWN, lookups: cost };
    // RFC 8616 §4: terms with a local part that is not ASCII do not match.
    if (target === null && isLink)
      return {
        ...UNKNOWN,
        lookups: cost,
        outcome: term.name === 'include' ? 'neutral' : 'permerror',
      };
    if (target === null || !isTargetName(target)) {
      // RFC 7208 §4.8: a name that can be none does not match, and holds no record.
      if (isLink) tally.breakAt(at, term, 'no domain name comes of it');
      return { ...NONE, lookups: cost, outcome: isLink ? 'permerror' : 'neutral' };
    }
    if (!isLink) return { ...NONE, lookups: cost, outcome: toOutcome(ask(term, target, at)) };
    const below = descend(term, target, name, at);
    entry.lookups += below.lookups;
    return { ...below, lookups: entry.lookups };
  }

  /** The name that a term asks for; null: none comes of it; `undefined`: still to be had. */
  function targetOf(term: ReadTerm, name: string, at: Place): string | null | undefined {
    if (!term.isValid) return null;
    const reverse = term.letters.includes('p') ? reverseOf(name, sender, askAt(at)) : '';
    return reverse === undefined ? undefined : expandSpec(term.spec || name, name, sender, reverse);
  }

  /** A mechanism that asks for a name; matched where the receiver comes to it. */
  function ask(term: ReadTerm, target: string, at: Place): Match {
    if (at.again && !at.isReached) return false;
    const query = queryOf(term, target, sender);
    const answer = tally.ask(at, query);
    if (isAbsent(answer)) {
      const isOwn = term.name === 'a' && at.top === null && !at.isOfSender;
      const aside = askAt({ ...at, isReached: false });
      tally.findNothing(term, at, isOwn ? otherFamily(term, target, sender, aside) : []);
    }
    const hosts = query.type === 'MX' && answer?.status === 'found' ? answer.records.length : 0;
    if (hosts > MAX_EXCHANGES) {
      tally.breakAt(at, term, `${hosts} mail servers; the limit is ${MAX_EXCHANGES}`);
      if (at.isReached) tally.exceed(`${MAX_EXCHANGES} mail servers of one mx term`);
    }
    return at.isReached && matchTerm(term, target, sender, askAt(at));
  }

  function descend(term: SpfTerm, target: string, name: string, from: Place): Below {
    const path = [...from.path, name];
    const isCut = path.length > MAX_DEPTH || tree.length > MAX_TREE;
    if (isCut && !from.isReached) return UNKNOWN;
    const { answer, records } = recordsAt(from, target);
    if (answer === undefined) return UNKNOWN;
    if (answer.status === 'failed') return { ...UNKNOWN, outcome: 'temperror' };
    const at: Place = {
      ...from,
      path,
      again: from.again || path.includes(target),
      passing: from.passing && term.qualifier === '+',
    };
    const [record, ...more] = records;
    const shown = from.isSecret ? 'a name with the local part' : target;
    if (isAbsent(answer)) tally.findNothing(term, at);
    if (record === undefined || more.length > 0) {
      // RFC 7208 §5.2, §6.1: without exactly one record below, the whole is a permerror.
      tally.breakAt(at, term, `${records.length || 'no'} SPF records at ${shown}`);
      return { ...NONE, outcome: 'permerror' };
    }
    if (at.again && !from.again)
      tally.breakAt(from, term, `it leads back to ${shown}, where it came from`, true);
    if (record.fault) tally.breakAt(at, term, `"${record.fault}" in the record of ${shown}`);
    return visit(target, record, { ...at, top: from.top ?? term.text });
  }

  const { lookups, all, outcome = 'open', matched } = start();
  const result = outcome === 'open' ? null : outcome;
  const isDecided = result !== null && result !== 'permerror' && result !== 'temperror';
  return {
    ...tally.notes(),
    result,
    error: result === 'permerror' ? tally.error() : null,
    matchedTerm: isDecided ? matched : null,
    lookups,
    heaviest: heaviestOf(tree),
    effectiveAll: all,
  };
}

/** The term of the record itself with the most lookups; null: none has more than all others. */
function heaviestOf(tree: SpfEvaluation['tree']): string | null {
  const top = tree.filter(({ depth, lookups }) => depth === 0 && lookups > 0);
  const most = Math.max(...top.map(({ lookups }) => lookups));
  const [heaviest, ...alike] = top.filter(({ lookups }) => lookups === most);
  return alike.length > 0 ? null : (heaviest?.term ?? null);
}
