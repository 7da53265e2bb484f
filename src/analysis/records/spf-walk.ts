import type { SpfFacts } from '../facts.ts';
import { type Answer, isAbsent, textsOf } from './answer.ts';
import {
  isAll,
  isQuerying,
  isSpfRecord,
  parseSpf,
  readTerms,
  type SpfTerm,
  targetOf,
} from './spf.ts';

/** Levels of `include:` and `redirect=`; deeper records are cut. */
const MAX_DEPTH = 10;

/** RFC 7208 §11.1 warns of wide ranges; widest prefix we take for one sender's own. */
const WIDEST = { ip4: 8, ip6: 19 } as const;

export interface SpfQuestion {
  readonly name: string;
  readonly type: 'TXT' | 'A' | 'AAAA' | 'MX';
}

/** Answers by `questionKey`. */
export type SpfAnswers = ReadonlyMap<string, Answer<unknown>>;

export const questionKey = ({ name, type }: SpfQuestion): string => `${type} ${name}`;

export interface SpfWalk {
  /** What must be asked before the walk can go on; empty: it is complete. */
  readonly wanted: readonly SpfQuestion[];
  /** DNS-querying terms of all records together (RFC 7208 §4.6.4). */
  readonly lookups: number;
  /** Terms in the order they are read, with the look-ups of each and of all below it. */
  readonly tree: readonly {
    readonly term: string;
    readonly lookups: number;
    readonly depth: number;
  }[];
  readonly heaviest: string | null;
  readonly voidTerms: readonly string[];
  readonly wideTerms: readonly string[];
  readonly effectiveAll: SpfFacts['effectiveAll'];
}

/**
 * Counts a whole SPF record without a sender: an evaluation ends at its first match, so only this
 * tells what the record costs in the worst case. Terms with macros count, and are not followed.
 */
export function walkSpf(domain: string, answers: SpfAnswers): SpfWalk {
  const wanted = new Map<string, SpfQuestion>();
  const tree: { term: string; lookups: number; depth: number }[] = [];
  const voidTerms: string[] = [];
  const wideTerms: string[] = [];

  const ask = (question: SpfQuestion) => {
    const key = questionKey(question);
    if (!answers.has(key)) wanted.set(key, question);
    return answers.get(key);
  };
  const recordAt = (name: string) => {
    const answer = ask({ name, type: 'TXT' }) as Answer<readonly string[]> | undefined;
    const records = textsOf(answer).filter(isSpfRecord);
    return { answer, record: records.length === 1 ? records[0] : undefined };
  };
  const isVoid = (term: SpfTerm, target: string): boolean => {
    if (term.name === 'mx') return isAbsent(ask({ name: target, type: 'MX' }));
    const a = ask({ name: target, type: 'A' });
    if (term.name === 'exists') return isAbsent(a);
    // Both at once: one after the other would be a level of its own.
    const aaaa = ask({ name: target, type: 'AAAA' });
    return isAbsent(a) && isAbsent(aaaa);
  };

  /** Look-ups of one record, everything below included; `passing`: its passes are the sender's. */
  const visit = (
    name: string,
    record: string,
    path: readonly string[],
    passing: boolean,
  ): Below => {
    let lookups = 0;
    let all: SpfFacts['effectiveAll'] = null;
    for (const term of readTerms(parseSpf(record))) {
      if (passing && isWide(term)) wideTerms.push(term.text);
      if (isAll(term)) all = term.qualifier;
      if (!isQuerying(term)) continue;

      const entry = { term: term.text, lookups: 1, depth: path.length };
      tree.push(entry);
      const target = targetOf(term, name);
      const follows = term.name === 'include' || term.name === 'redirect';
      if (follows && target !== null) {
        const below = descend(term, target, [...path, name], passing);
        entry.lookups += below.lookups;
        if (term.name === 'redirect') all = below.all;
      } else if (target !== null && term.name !== 'ptr' && isVoid(term, target)) {
        voidTerms.push(term.text);
      } else if (term.name === 'redirect') {
        all = 'unknown';
      }
      lookups += entry.lookups;
    }
    return { lookups, all };
  };

  const descend = (
    term: SpfTerm,
    target: string,
    path: readonly string[],
    passing: boolean,
  ): Below => {
    const unknown: Below = { lookups: 0, all: 'unknown' };
    if (path.includes(target) || path.length > MAX_DEPTH) return unknown;
    const { answer, record } = recordAt(target);
    if (isAbsent(answer)) voidTerms.push(term.text);
    if (record === undefined) return answer?.status === 'failed' || !answer ? unknown : none;
    return visit(target, record, path, passing && term.qualifier === '+');
  };

  const { record } = recordAt(domain);
  const { lookups, all } = record === undefined ? none : visit(domain, record, [], true);
  const top = tree.filter(({ depth, lookups: below }) => depth === 0 && below > 0);
  const heaviest = top.reduce<(typeof top)[number] | undefined>(
    (most, entry) => (most && most.lookups >= entry.lookups ? most : entry),
    undefined,
  );
  return {
    wanted: [...wanted.values()],
    lookups,
    tree,
    heaviest: heaviest?.term ?? null,
    voidTerms,
    wideTerms,
    effectiveAll: all,
  };
}

interface Below {
  readonly lookups: number;
  readonly all: SpfFacts['effectiveAll'];
}

const none: Below = { lookups: 0, all: null };

function isWide(term: SpfTerm): boolean {
  if (term.kind !== 'mechanism' || term.qualifier !== '+') return false;
  if (term.name === 'all') return true;
  if (term.name !== 'ip4' && term.name !== 'ip6') return false;
  const prefix = /\/(\d{1,3})$/.exec(term.value)?.[1];
  return prefix !== undefined && Number(prefix) < WIDEST[term.name];
}
