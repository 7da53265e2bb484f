import { type Answer, isAbsent } from '../dns-answer.ts';
import type { SpfFacts } from '../facts.ts';
import { isTargetName } from './grammar.ts';
import { expandSpec, type SpfSender } from './macro.ts';
import { isAll, isWide, type SpfTerm } from './parse.ts';
import { type ReadTerm, readSpfRecords, type SpfReading } from './parsed-records.ts';
import {
  type AskSpf,
  otherFamily,
  questionKey,
  questionOf,
  reverseOf,
  reverseQuestion,
  type SpfAnswers,
  type SpfQuestion,
} from './query.ts';

/** Levels of `include:` and `redirect=`; deeper records are cut. */
const MAX_DEPTH = 10;

/** Terms shown; far over the limit of ten lookups a loop is not followed further. */
const MAX_TREE = 100;

/** RFC 7208 §4.6.4: mail servers of one `mx` term. */
const MAX_EXCHANGES = 10;

/** Macros of the sender's own mail, which is nobody else's business (RFC 7208 §7.2). */
const SECRET = /^[sl]$/;

/** Macros that another mail of the same domain may have other values for. */
const OF_SENDER = /^[slihpv]$/;

export interface SpfWalk {
  /** What must be asked before the walk can go on; empty: it is complete. */
  readonly wanted: readonly SpfQuestion[];
  /** A question that counts had no answer. */
  readonly isSilent: boolean;
  /** DNS-querying terms of all records together (RFC 7208 §4.6.4). */
  readonly lookups: number;
  /** Terms in the order they are read, with the lookups of each and of all below it. */
  readonly tree: readonly {
    readonly term: string;
    readonly lookups: number;
    readonly depth: number;
  }[];
  readonly heaviest: string | null;
  readonly voidTerms: SpfFacts['voidTerms'];
  readonly brokenTerms: SpfFacts['brokenTerms'];
  readonly wideTerms: SpfFacts['wideTerms'];
  readonly effectiveAll: SpfFacts['effectiveAll'];
}

/**
 * Counts a whole SPF record: an evaluation ends at its first match, so only this tells what the
 * record costs in the worst case. Names with the local part are not wanted, only followed where they
 * were answered already, and never told.
 */
export function walkSpf(domain: string, answers: SpfAnswers, sender: SpfSender): SpfWalk {
  const wanted = new Map<string, SpfQuestion>();
  const tree: { term: string; lookups: number; depth: number }[] = [];
  const voidTerms: SpfFacts['voidTerms'][number][] = [];
  const brokenTerms: SpfFacts['brokenTerms'][number][] = [];
  const wideTerms: SpfFacts['wideTerms'][number][] = [];

  const ask: AskSpf = (question) => {
    const key = questionKey(question);
    if (!answers.has(key)) wanted.set(key, question);
    return answers.get(key);
  };
  let isSilent = false;
  const askAt = ({ isSecret }: Place, one: SpfQuestion): Answer<unknown> | undefined => {
    const answer = isSecret ? answers.get(questionKey(one)) : ask(one);
    // RFC 7208 §5.5: where a reverse name cannot be had, ptr does not match, and that is all.
    if (answer?.status === 'failed' && one.type !== 'PTR') isSilent = true;
    return answer;
  };
  const recordsAt = (name: string, at: Place) => {
    const answer = askAt(at, { name, type: 'TXT' }) as Answer<readonly string[]> | undefined;
    return { answer, records: readSpfRecords(answer) };
  };
  const finds = (term: SpfTerm, at: Place, answer: Answer<unknown> | undefined) => {
    if (at.again || !isAbsent(answer)) return;
    voidTerms.push({ ...placeOf(term, at), isOfSender: at.isOfSender, instead: [] });
  };
  const askTerm = (term: SpfTerm, target: string, at: Place) => {
    const question = questionOf(term, target, sender);
    const answer = askAt(at, question);
    if (term.name === 'a' && at.top === null && isAbsent(answer) && !at.isOfSender) {
      const instead = otherFamily(term, target, sender, ask);
      voidTerms.push({ ...placeOf(term, at), isOfSender: false, instead });
    } else finds(term, at, answer);
    const isMx = question.type === 'MX' && answer?.status === 'found';
    if (isMx && answer.records.length > MAX_EXCHANGES)
      breaks(at, term, `${answer.records.length} mail servers; the limit is ${MAX_EXCHANGES}`);
  };
  const breaks = (at: Place, { text }: SpfTerm, why: string, isLoop = false) => {
    if (at.again) return;
    const isOwn = at.top === null || at.top === text;
    brokenTerms.push({
      term: at.top ?? text,
      why: isOwn ? why : `${text}: ${why}`,
      isOfSender: at.isOfSender,
      ...(isLoop && { isLoop }),
    });
  };

  /** The name that a term asks for; null: none, or not yet. */
  const targetOf = (term: ReadTerm, name: string): string | null => {
    if (!term.isValid) return null;
    const reverse = term.letters.includes('p') ? reverseOf(name, sender, ask) : '';
    return reverse === undefined ? null : expandSpec(term.spec || name, name, sender, reverse);
  };

  /** Lookups of one record, everything below included. */
  const visit = (name: string, { terms, isWhole }: SpfReading, place: Place): Below => {
    let lookups = 0;
    // Of a record that was not read to its end the end is not known.
    let all: SpfFacts['effectiveAll'] = isWhole ? null : 'unknown';
    for (const term of terms) {
      if (place.passing && !place.again && isWide(term)) wideTerms.push(placeOf(term, place));
      if (isAll(term)) all = term.qualifier;
      if (!term.asks) continue;

      const { letters } = term;
      const at: Place = {
        ...place,
        isOfSender: place.isOfSender || letters.some((letter) => OF_SENDER.test(letter)),
        isSecret: place.isSecret || letters.some((letter) => SECRET.test(letter)),
      };
      // RFC 7208 §4.6.4: the names that %{p} needs are a lookup of their own.
      const reverse = letters.includes('p') ? reverseQuestion(sender) : null;
      if (reverse) finds(term, at, ask(reverse));
      const entry = { term: term.text, lookups: reverse ? 2 : 1, depth: at.path.length };
      tree.push(entry);
      const target = targetOf(term, name);
      const follows = term.name === 'include' || term.name === 'redirect';
      if (target === null) {
        if (term.name === 'redirect') all = 'unknown';
      } else if (!isTargetName(target)) {
        // RFC 7208 §4.8: a name that can be none does not match, and holds no record.
        if (follows) breaks(at, term, 'no domain name comes of it');
      } else if (follows) {
        const below = descend(term, target, name, at);
        entry.lookups += below.lookups;
        if (term.name === 'redirect') all = below.all;
      } else if (!at.again) {
        askTerm(term, target, at);
      }
      lookups += entry.lookups;
    }
    return { lookups, all };
  };

  const descend = (term: SpfTerm, target: string, name: string, from: Place): Below => {
    const unknown: Below = { lookups: 0, all: 'unknown' };
    const path = [...from.path, name];
    if (path.length > MAX_DEPTH || tree.length > MAX_TREE) return unknown;
    const { answer, records } = recordsAt(target, from);
    if (answer === undefined || answer.status === 'failed') return unknown;
    const [record, ...more] = records;
    const at: Place = {
      ...from,
      path,
      again: from.again || path.includes(target),
      passing: from.passing && term.qualifier === '+',
    };
    const shown = from.isSecret ? 'a name with the local part' : target;
    finds(term, at, answer);
    if (record === undefined || more.length > 0) {
      // RFC 7208 §5.2, §6.1: without exactly one record below, the whole is a permerror.
      breaks(at, term, `${records.length || 'no'} SPF records at ${shown}`);
      return none;
    }
    if (at.again && !from.again)
      breaks(from, term, `it leads back to ${shown}, where it came from`, true);
    if (record.fault) breaks(at, term, `"${record.fault}" in the record of ${shown}`);
    return visit(target, record, { ...at, top: from.top ?? term.text });
  };

  const { records } = recordsAt(domain, START);
  const [record, ...more] = records;
  const { lookups, all } =
    record === undefined || more.length > 0 ? none : visit(domain, record, START);
  const top = tree.filter(({ depth, lookups: below }) => depth === 0 && below > 0);
  const most = Math.max(...top.map((entry) => entry.lookups));
  const [heaviest, ...alike] = top.filter((entry) => entry.lookups === most);
  return {
    wanted: [...wanted.values()],
    isSilent,
    lookups,
    tree,
    heaviest: alike.length > 0 ? null : (heaviest?.term ?? null),
    voidTerms,
    brokenTerms,
    wideTerms,
    effectiveAll: all,
  };
}

/** Where in the tree a record is read. */
interface Place {
  /** Domains of the records above. */
  readonly path: readonly string[];
  /** Met before on the way down: a loop, of which only the lookups are counted. */
  readonly again: boolean;
  /** The sender's own term that leads here; null: the record is the sender's own. */
  readonly top: string | null;
  /** Its passes are passes of the whole. */
  readonly passing: boolean;
  /** Reached by a name that other mail of the domain may have another for. */
  readonly isOfSender: boolean;
  /** Reached by a name that may hold the local part. */
  readonly isSecret: boolean;
}

const START: Place = {
  path: [],
  again: false,
  top: null,
  passing: true,
  isOfSender: false,
  isSecret: false,
};

const placeOf = ({ text }: SpfTerm, { top }: Place) => ({ term: text, top: top ?? text });

interface Below {
  readonly lookups: number;
  readonly all: SpfFacts['effectiveAll'];
}

const none: Below = { lookups: 0, all: null };
