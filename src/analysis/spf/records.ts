import {
  isAll,
  isQuerying,
  isValidTerm,
  isWide,
  MAX_TERMS,
  parseTerm,
  type Qualifier,
  type SpfTerm,
  textsOfTerms,
} from './parse.ts';

/** Terms that let in nearly everybody, of one record: more than a finding can name. */
const MAX_WIDE = 20;

/** One SPF record, as far as it leads to others, and what is wrong with it. */
export interface SpfReading {
  /** What queries, in the order in which a receiver does: `redirect=` is last. `MAX_TERMS` at most. */
  readonly asking: readonly SpfTerm[];
  /** Of its `all`; null: it has none. */
  readonly all: Qualifier | null;
  /** Terms that pass nearly everybody, no matter who the sender is. */
  readonly wide: readonly SpfTerm[];
  /** The first fault, which makes a permerror wherever it stands (RFC 7208 §4.6). */
  readonly fault: string | undefined;
  /** All terms that query are there. */
  readonly isWhole: boolean;
}

/** Reads a record once for all that lead to it. One of 60 KB repeats itself: so does each term. */
export function createReader(): (record: string) => SpfReading {
  const terms = new Map<string, SpfTerm>();
  const readings = new Map<string, SpfReading>();
  const readTerm = (text: string) => {
    const term = terms.get(text) ?? parseTerm(text);
    terms.set(text, term);
    return term;
  };
  return (record) => {
    const reading = readings.get(record) ?? readRecord(textsOfTerms(record).map(readTerm));
    readings.set(record, reading);
    return reading;
  };
}

function readRecord(terms: readonly SpfTerm[]): SpfReading {
  const end = terms.findIndex(isAll);
  // RFC 7208 §5.1: mechanisms after `all` are never tested, and `redirect=` beside it is ignored.
  const tested = (end < 0 ? terms : terms.slice(0, end + 1)).filter(
    ({ kind }) => kind === 'mechanism',
  );
  const redirects = terms.filter(isRedirect);
  const asking = [...tested.filter(isQuerying), ...(end < 0 ? redirects.slice(0, 1) : [])];
  // RFC 7208 §6: each stands once at most.
  const [, repeated] = redirects;
  const [, explained] = terms.filter(({ kind, name }) => kind === 'modifier' && name === 'exp');
  return {
    asking: asking.slice(0, MAX_TERMS),
    all: terms[end]?.qualifier ?? null,
    wide: tested.filter(isWide).slice(0, MAX_WIDE),
    fault: ([...new Set(terms)].find((term) => !isValidTerm(term)) ?? repeated ?? explained)?.text,
    isWhole: asking.length <= MAX_TERMS,
  };
}

const isRedirect = ({ kind, name }: SpfTerm): boolean => kind === 'modifier' && name === 'redirect';
