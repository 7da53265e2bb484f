/** Reads an SPF record: its terms, where they lead, and its faults. */

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

/** Terms that authorise nearly everyone, per record. A finding can name no more. */
const MAX_WIDE = 20;

/** An SPF record: the records to which it leads, and its faults. */
export interface SpfReading {
  /** The terms that query the DNS, at most `MAX_TERMS`, in a receiver's order: `redirect=` is last. */
  readonly asking: readonly SpfTerm[];
  /** The qualifier of its `all`. Null if it has none. */
  readonly all: Qualifier | null;
  /** Terms that pass nearly everyone, whoever the sender is. */
  readonly wide: readonly SpfTerm[];
  /** The first fault, which causes a permerror wherever it is (RFC 7208 §4.6). */
  readonly fault: string | undefined;
  /** True if all terms that query the DNS are included. */
  readonly isWhole: boolean;
}

/**
 * Reads a record once for everything that leads to it. A record of 60 KB repeats itself, so each of its terms
 * is read once too.
 */
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
  // Mechanisms after `all` are never tested, and `redirect=` beside it is ignored (RFC 7208 §5.1).
  const tested = (end < 0 ? terms : terms.slice(0, end + 1)).filter(
    ({ kind }) => kind === 'mechanism',
  );
  const redirects = terms.filter(isRedirect);
  const asking = [...tested.filter(isQuerying), ...(end < 0 ? redirects.slice(0, 1) : [])];
  // Each modifier may appear only once (RFC 7208 §6).
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
