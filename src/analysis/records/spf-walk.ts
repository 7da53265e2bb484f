import type { SpfFacts } from '../facts.ts';
import { reverseName } from '../reverse-name.ts';
import { type Answer, isAbsent, textsOf } from './answer.ts';
import {
  isAll,
  isQuerying,
  isSpfRecord,
  parseSpf,
  readTerms,
  type SpfTerm,
  specOf,
} from './spf.ts';
import { isTargetName, isValidTerm } from './spf-grammar.ts';
import { expandSpec, isIpv6Sender, type SpfSender } from './spf-macro.ts';

/** Levels of `include:` and `redirect=`; deeper records are cut. */
const MAX_DEPTH = 10;

/** Terms shown; far over the limit of ten look-ups a loop is not followed further. */
const MAX_TREE = 100;

/** RFC 7208 §4.6.4: mail servers of one `mx` term. */
const MAX_EXCHANGES = 10;

/** RFC 7208 §11.1 warns of wide ranges; widest prefix we take for one sender's own. */
const WIDEST = { ip4: 8, ip6: 19 } as const;

export interface SpfQuestion {
  readonly name: string;
  readonly type: 'TXT' | 'A' | 'AAAA' | 'MX' | 'PTR';
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
  readonly brokenTerms: SpfFacts['brokenTerms'];
  readonly wideTerms: readonly string[];
  readonly effectiveAll: SpfFacts['effectiveAll'];
}

/**
 * Counts a whole SPF record: an evaluation ends at its first match, so only this tells what the
 * record costs in the worst case. Terms with the local part or a reverse name in a macro count, and
 * are not followed.
 */
export function walkSpf(domain: string, answers: SpfAnswers, sender: SpfSender): SpfWalk {
  const wanted = new Map<string, SpfQuestion>();
  const tree: { term: string; lookups: number; depth: number }[] = [];
  const voidTerms: string[] = [];
  const brokenTerms: { term: string; why: string }[] = [];
  const wideTerms: string[] = [];

  const ask = (question: SpfQuestion) => {
    const key = questionKey(question);
    if (!answers.has(key)) wanted.set(key, question);
    return answers.get(key);
  };
  const recordsAt = (name: string) => {
    const answer = ask({ name, type: 'TXT' }) as Answer<readonly string[]> | undefined;
    return { answer, records: textsOf(answer).filter(isSpfRecord) };
  };
  const askTerm = (term: SpfTerm, target: string, at: Place) => {
    const question = questionOf(term, target, sender);
    const answer = ask(question);
    if (isAbsent(answer)) voidTerms.push(term.text);
    const isMx = question.type === 'MX' && answer?.status === 'found';
    if (isMx && answer.records.length > MAX_EXCHANGES)
      breaks(at, term, `${answer.records.length} mail servers; the limit is ${MAX_EXCHANGES}`);
  };
  const breaks = ({ top }: Place, { text }: SpfTerm, why: string) =>
    brokenTerms.push({
      term: top ?? text,
      why: top === null || top === text ? why : `${text}: ${why}`,
    });

  /** Look-ups of one record, everything below included. */
  const visit = (name: string, record: string, at: Place): Below => {
    let lookups = 0;
    let all: SpfFacts['effectiveAll'] = null;
    for (const term of readTerms(parseSpf(record))) {
      if (at.passing && !at.again && isWide(term)) wideTerms.push(term.text);
      if (isAll(term)) all = term.qualifier;
      if (!isQuerying(term)) continue;

      const entry = { term: term.text, lookups: 1, depth: at.path.length };
      tree.push(entry);
      const spec = specOf(term) || name;
      const target = isValidTerm(term) ? expandSpec(spec, name, sender) : null;
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
    const { answer, records } = recordsAt(target);
    if (answer === undefined || answer.status === 'failed') return unknown;
    const [record, ...more] = records;
    const again = from.again || path.includes(target);
    if (!again && isAbsent(answer)) voidTerms.push(term.text);
    if (record === undefined || more.length > 0) {
      // RFC 7208 §5.2, §6.1: without exactly one record below, the whole is a permerror.
      if (!again) breaks(from, term, `${records.length || 'no'} SPF records at ${target}`);
      return none;
    }
    const fault = parseSpf(record).find((one) => !isValidTerm(one));
    if (!again && fault) breaks(from, term, `"${fault.text}" in the record of ${target}`);
    return visit(target, record, {
      path,
      again,
      top: from.top ?? term.text,
      passing: from.passing && term.qualifier === '+',
    });
  };

  const { records } = recordsAt(domain);
  const [record, ...more] = records;
  const { lookups, all } =
    record === undefined || more.length > 0
      ? none
      : visit(domain, record, { path: [], again: false, top: null, passing: true });
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
    brokenTerms,
    wideTerms,
    effectiveAll: all,
  };
}

/** What a receiver asks first for a term that names no other record (RFC 7208 §5.3 to §5.7). */
function questionOf({ name }: SpfTerm, target: string, sender: SpfSender): SpfQuestion {
  switch (name) {
    case 'mx':
      return { name: target, type: 'MX' };
    case 'exists':
      return { name: target, type: 'A' };
    case 'ptr':
      return { name: reverseName(sender.ip) ?? target, type: 'PTR' };
    default:
      return { name: target, type: isIpv6Sender(sender) ? 'AAAA' : 'A' };
  }
}

/** Where in the tree a record is read. */
interface Place {
  /** Domains of the records above. */
  readonly path: readonly string[];
  /** Met before on the way down: a loop, of which only the look-ups are counted. */
  readonly again: boolean;
  /** The sender's own term that leads here; null: the record is the sender's own. */
  readonly top: string | null;
  /** Its passes are passes of the whole. */
  readonly passing: boolean;
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
