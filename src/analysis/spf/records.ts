import { type Answer, textsOf } from '../dns-answer.ts';
import { isValidTerm } from './grammar.ts';
import { lettersOf, tailOf } from './macro.ts';
import { holderOf } from './network.ts';
import {
  isAll,
  isQuerying,
  isSpfRecord,
  isWide,
  MAX_TERMS,
  parseTerm,
  type SpfTerm,
  specOf,
  textsOfTerms,
} from './parse.ts';

/** Terms that let in nearly everybody, of one record: more than a finding can name. */
const MAX_WIDE = 20;

/** A term that can decide about a sender, or that queries the DNS. */
export interface ReadTerm extends SpfTerm {
  readonly asks: boolean;
  readonly isValid: boolean;
  /** The part of the domain-spec that its name is made of. */
  readonly spec: string;
  /** Macro letters of the domain-spec, in lower case. */
  readonly letters: readonly string[];
}

/** One SPF record as it concerns one sender. */
export interface SpfReading {
  /**
   * What a receiver may come to, in the order in which it does: `redirect=` is last. Networks without
   * the sender are left out, however many there are; `MAX_TERMS` that query at most.
   */
  readonly terms: readonly ReadTerm[];
  /** Terms that pass nearly everybody, no matter who the sender is. */
  readonly wide: readonly SpfTerm[];
  /** The first fault, which makes a permerror wherever it stands (RFC 7208 §4.6). */
  readonly fault: string | undefined;
  /** All terms that query are there. */
  readonly isWhole: boolean;
}

const readings = new WeakMap<object, Map<string, readonly SpfReading[]>>();

/** The SPF records of an answer. They are read once, however often the evaluation comes to them. */
export function readSpfRecords(
  answer: Answer<readonly string[]> | undefined,
  ip: string,
): readonly SpfReading[] {
  if (answer === undefined) return [];
  const byIp = readings.get(answer) ?? new Map<string, readonly SpfReading[]>();
  readings.set(answer, byIp);
  const read =
    byIp.get(ip) ??
    textsOf(answer)
      .filter(isSpfRecord)
      .map((record) => readRecord(record, ip));
  byIp.set(ip, read);
  return read;
}

/** What a term is for one sender. */
interface Role {
  readonly term: SpfTerm;
  readonly isValid: boolean;
  readonly isEnd: boolean;
  readonly asks: boolean;
  readonly holdsSender: boolean;
  readonly isWide: boolean;
  /** RFC 7208 §6: it stands once at most. */
  readonly isOnce: boolean;
}

function readRecord(record: string, ip: string): SpfReading {
  const roleOf = createRoles(ip);
  const asking: SpfTerm[] = [];
  const wide: SpfTerm[] = [];
  const once = new Map<string, SpfTerm>();
  let broken: string | undefined;
  let repeated: string | undefined;
  let isDecided = false;
  let isEnded = false;
  for (const text of textsOfTerms(record)) {
    const role = roleOf(text);
    const { term } = role;
    if (!role.isValid) broken ??= text;
    if (role.isOnce) {
      if (once.has(term.name)) repeated ??= text;
      else once.set(term.name, term);
    }
    // RFC 7208 §5.1: mechanisms after `all` are never tested, and `redirect=` beside it is ignored.
    if (isEnded || term.kind !== 'mechanism') continue;
    if (role.asks || role.isEnd || (role.holdsSender && !isDecided)) asking.push(term);
    if (role.isWide && wide.length < MAX_WIDE) wide.push(term);
    isDecided ||= role.holdsSender;
    isEnded = role.isEnd;
  }
  const redirect = once.get('redirect');
  if (redirect && !isEnded) asking.push(redirect);
  return {
    terms: asking.slice(0, MAX_TERMS).map(readTerm),
    wide,
    fault: broken ?? repeated,
    isWhole: asking.length <= MAX_TERMS,
  };
}

/** Reads terms for one sender. A record of 60 KB repeats itself: each text is read once. */
function createRoles(ip: string): (text: string) => Role {
  const holdsSender = holderOf(ip);
  const known = new Map<string, Role>();
  return (text) => {
    const read = known.get(text) ?? toRole(parseTerm(text), holdsSender);
    known.set(text, read);
    return read;
  };
}

function toRole(term: SpfTerm, holdsSender: (term: SpfTerm) => boolean): Role {
  const { kind, name } = term;
  const asks = isQuerying(term);
  const isEnd = isAll(term);
  return {
    term,
    isValid: isValidTerm(term),
    isEnd,
    asks,
    holdsSender: kind === 'mechanism' && !asks && !isEnd && holdsSender(term),
    isWide: isWide(term),
    isOnce: kind === 'modifier' && (name === 'redirect' || name === 'exp'),
  };
}

function readTerm(term: SpfTerm): ReadTerm {
  const asks = isQuerying(term);
  const spec = asks ? specOf(term) : '';
  return {
    ...term,
    asks,
    isValid: isValidTerm(term),
    spec: tailOf(spec),
    letters: lettersOf(spec),
  };
}
