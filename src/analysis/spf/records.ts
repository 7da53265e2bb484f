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

function readRecord(record: string, ip: string): SpfReading {
  const texts = [...textsOfTerms(record)];
  // A record of 60 KB repeats itself: each term is parsed once.
  const parsed = new Map(new Set(texts).values().map((text) => [text, parseTerm(text)]));
  const fault = parsed.values().find((term) => !isValidTerm(term))?.text ?? repeated(texts);
  const all = texts.map((text) => parsed.get(text) ?? parseTerm(text));
  const end = all.findIndex(isAll);
  // RFC 7208 §5.1: mechanisms after `all` are never tested, and `redirect=` beside it is ignored.
  const mechanisms = all.slice(0, end < 0 ? undefined : end + 1).filter(isMechanismTerm);
  const redirect = all.filter(({ kind, name }) => kind === 'modifier' && name === 'redirect');

  const holdsSender = holderOf(ip);
  const match = mechanisms.findIndex(
    (term) => !isQuerying(term) && !isAll(term) && holdsSender(term),
  );
  const asking = mechanisms.filter((term, i) => isQuerying(term) || isAll(term) || i === match);
  const terms = end < 0 ? [...asking, ...redirect.slice(0, 1)] : asking;
  return {
    terms: terms.slice(0, MAX_TERMS).map(readTerm),
    wide: mechanisms.filter(isWide).slice(0, MAX_WIDE),
    fault,
    isWhole: terms.length <= MAX_TERMS,
  };
}

const isMechanismTerm = ({ kind }: SpfTerm): boolean => kind === 'mechanism';

/** RFC 7208 §6: `redirect=` and `exp=` stand once at most. */
const repeated = (texts: readonly string[]): string | undefined =>
  [/^redirect=/i, /^exp=/i]
    .map((name) => texts.filter((text) => name.test(text)))
    .find(({ length }) => length > 1)?.[1];

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
