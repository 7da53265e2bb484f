/**
 * Parses SPF records into terms, and tells what a term is, such as whether it is valid, queries the DNS or
 * lets nearly every server pass.
 */

import { isValidTargetName, validateTerms } from 'mailauth/lib/spf/syntax.js';

export type Qualifier = '+' | '-' | '~' | '?';

/** A term of an SPF record (RFC 7208 §4.6.1). */
export interface SpfTerm {
  /** The term as published. */
  readonly text: string;
  readonly kind: 'mechanism' | 'modifier' | 'unknown';
  /** The name in lower case, such as `include`, `ip4` or `redirect`. */
  readonly name: string;
  readonly qualifier: Qualifier;
  /** The text after `:` or `=`, or a bare prefix length such as `/24`. */
  readonly value: string;
}

/** Names of the mechanisms in RFC 7208 §5. */
const MECHANISMS = new Set(['all', 'include', 'a', 'mx', 'ptr', 'ip4', 'ip6', 'exists']);

/** Terms that query the DNS and count towards the limit (RFC 7208 §4.6.4). */
const QUERYING = new Set(['include', 'a', 'mx', 'ptr', 'exists', 'redirect']);

/** Limit on DNS lookups. If a record causes more, a receiver must return `permerror` (RFC 7208 §4.6.4). */
export const MAX_LOOKUPS = 10;

/**
 * Limit on lookups that find nothing. If a record causes more, a receiver may return `permerror` (RFC 7208
 * §4.6.4).
 */
export const MAX_VOID_LOOKUPS = 2;

// The name of a term is ALPHA *( ALPHA / DIGIT / "-" / "_" / "." ) (RFC 7208 §4.6.1).
const TERM = /^([+\-~?]?)([a-z][a-z0-9\-_.]*)(?:([:=])(.*)|(\/.*))?$/is;

/** Prefix lengths of the widest ranges that we accept as one sender's own. */
const WIDEST = { ip4: 8, ip6: 19 } as const;

/** Returns whether a TXT record is an SPF record at all. Its version is case-insensitive (RFC 7208 §4.5). */
export const isSpfRecord = (text: string): boolean => /^v=spf1(?: |$)/i.test(text);

/**
 * Number of terms that are read per record, far more than ten lookups need. A DNS answer may contain 30,000
 * terms, and a record is read again at each step through its tree.
 */
export const MAX_TERMS = 500;

/** Returns the terms of a record, at most `MAX_TERMS`. */
export const parseSpf = (record: string): SpfTerm[] =>
  textsOfTerms(record).slice(0, MAX_TERMS).map(parseTerm);

/** Returns all terms of a record, as published. */
export const textsOfTerms = (record: string): readonly string[] =>
  record.slice('v=spf1'.length).split(/ +/).filter(Boolean);

export function parseTerm(text: string): SpfTerm {
  const match = TERM.exec(text);
  const [, sign = '', name = '', separator = '', value = '', prefix = ''] = match ?? [];
  const lower = name.toLowerCase();
  const kind =
    separator === '=' && sign === ''
      ? 'modifier'
      : separator !== '=' && MECHANISMS.has(lower)
        ? 'mechanism'
        : 'unknown';
  return {
    text,
    kind,
    name: lower,
    qualifier: (sign || '+') as Qualifier,
    value: value || prefix,
  };
}

/**
 * Returns whether a term follows the grammar of RFC 7208 §12, as the engine reads it. An invalid term makes
 * the whole record a permerror, wherever it is (§4.6).
 */
export const isValidTerm = ({ text }: SpfTerm): boolean =>
  /^[\x21-\x7e]*$/.test(text) && validateTerms([text]) === false;

/** Returns whether a name can be looked up after macro expansion (RFC 7208 §4.3). */
export const isTargetName = (name: string): boolean => isValidTargetName(name);

/** Returns whether a name is that of a mechanism in RFC 7208 §5. */
export const isMechanism = (name: string): boolean => MECHANISMS.has(name);

export const isAll = ({ kind, name }: SpfTerm): boolean => kind === 'mechanism' && name === 'all';

export const isQuerying = ({ kind, name }: SpfTerm): boolean =>
  kind !== 'unknown' && QUERYING.has(name);

/**
 * Returns the domain-spec of a term, without prefix lengths. Empty if the term refers to the record's own
 * domain.
 */
export const specOf = ({ name, value }: SpfTerm): string =>
  name === 'a' || name === 'mx' ? value.replace(/(?:\/\d+)?(?:\/\/\d+)?$/, '') : value;

/**
 * Returns the distinct macro letters of a domain-spec in lower case. A domain-spec may contain 60 KB of
 * macros.
 */
export function lettersOf(spec: string): readonly string[] {
  if (!spec.includes('%')) return [];
  const macros = spec.replace(/%[%_-]/g, ' ').match(/%\{[a-z]\d*r?[.\-+,/_=]*\}/gi) ?? [];
  return [...new Set(macros.map(([, , letter = '']) => letter.toLowerCase()))];
}

/**
 * Returns whether a term depends on the reverse names of the sending IP, which RFC 7208 §5.5 and §7.3 advise
 * against.
 */
export const isReverse = (term: SpfTerm): boolean =>
  (isQuerying(term) || term.name === 'exp') &&
  (term.name === 'ptr' || lettersOf(specOf(term)).includes('p'));

/**
 * Returns the prefix lengths of an `a` or `mx`, such as `/24`, or empty texts if there are none (RFC 7208
 * §5.6).
 */
export const prefixesOf = ({ value }: SpfTerm): Readonly<Record<'ip4' | 'ip6', string>> => {
  const [, ip4 = '', ip6 = ''] = /(?<!\/)(\/\d+)?(?:\/(\/\d+))?$/.exec(value) ?? [];
  return { ip4, ip6 };
};

/** Returns whether a term lets nearly every server pass. */
export function isWide(term: SpfTerm): boolean {
  if (term.kind !== 'mechanism' || term.qualifier !== '+') return false;
  if (term.name === 'all') return true;
  const { ip4, ip6 } = rangesOf(term);
  return isWider(ip4, WIDEST.ip4) || isWider(ip6, WIDEST.ip6);
}

const isWider = (prefix: string, widest: number): boolean =>
  prefix !== '' && Number(prefix.slice(1)) < widest;

const WHOLE = { ip4: '', ip6: '' } as const;

/** Returns the prefix lengths of a mechanism, such as `/24`, or empty texts if it has none. */
function rangesOf(term: SpfTerm): ReturnType<typeof prefixesOf> {
  const { name, value } = term;
  if (name === 'a' || name === 'mx') return prefixesOf(term);
  if (name !== 'ip4' && name !== 'ip6') return WHOLE;
  return { ...WHOLE, [name]: /\/\d{1,3}$/.exec(value)?.[0] ?? '' };
}
