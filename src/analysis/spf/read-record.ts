/**
 * Reads an SPF record: the terms that query the DNS or let nearly every server pass, its end, and its first
 * fault.
 */

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

/**
 * Number of terms per record that are kept if they authorize nearly everyone. A finding can name no more.
 */
const MAX_WIDE = 20;

/** Facts about one SPF record: its querying terms, its end and its faults. */
export interface SpfReading {
  /**
   * The terms that query the DNS in the order in which a receiver reads them, so that `redirect=` is last. At
   * most `MAX_TERMS`.
   */
  readonly asking: readonly SpfTerm[];
  /** The qualifier of the record's `all`. Null if the record has none. */
  readonly all: Qualifier | null;
  /** Terms that let nearly every server pass, whoever the sender is. */
  readonly wide: readonly SpfTerm[];
  /** The first fault of the record, which causes a permerror wherever it is (RFC 7208 §4.6). */
  readonly fault: string | undefined;
  /** True if `asking` contains all terms that query the DNS. */
  readonly isWhole: boolean;
}

/**
 * Creates a function that reads each record only once, however many terms lead to it. Each term is read only
 * once too, because a record of 60 KB repeats its terms.
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
