import { isValidTerm } from './grammar.ts';
import { tailOf } from './macro.ts';
import { holderOf } from './network.ts';
import {
  isAll,
  isQuerying,
  MAX_LOOKUPS,
  parseTerm,
  type SpfTerm,
  specOf,
  textsOfTerms,
} from './parse.ts';

/** Octets of a record up to which it is evaluated as published: few honest ones are longer. */
const MAX_PLAIN = 2048;

/** Octets of a term above which its end says all. */
const MAX_TERM = 300;

/** RFC 7208 §4.6: a fault anywhere makes a permerror of the whole. */
const BROKEN = 'v=spf1 =';

/** RFC 7208 §6.1: what redirects to no name is a permerror. Its label is too long for one. */
const NO_WAY_ON = `redirect=${'x'.repeat(64)}.invalid`;

/**
 * A long record without what cannot change its result for one sender, so that its evaluation costs what
 * that of an ordinary record does. Every term has been looked at: one at fault breaks the whole. Gone are
 * the terms behind a match or `all`, networks without the sender, modifiers that say nothing, and what
 * comes after more terms than may ask the DNS (RFC 7208 §4.6.4).
 *
 * @param plain octets up to which a record stays as it is
 */
export function essenceOf(record: string, ip: string, plain = MAX_PLAIN): string {
  if (record.length <= plain) return record;
  const texts = [...textsOfTerms(record)];
  const terms = new Map(new Set(texts).values().map((text) => [text, parseTerm(text)]));
  if (!terms.values().every(isValidTerm) || hasRepeats(texts)) return BROKEN;

  const holdsSender = holderOf(ip);
  const kept: string[] = [];
  let asking = 0;
  let redirect: SpfTerm | undefined;
  for (const text of texts) {
    const term = terms.get(text) ?? parseTerm(text);
    if (term.kind === 'modifier') {
      if (term.name === 'redirect') redirect = term;
      continue;
    }
    const isEnd = isAll(term) ? true : isQuerying(term) ? null : holdsSender(term);
    if (isEnd === false) continue;
    kept.push(shortTerm(term));
    if (isEnd) return toRecord(kept);
    asking += Number(isQuerying(term));
    if (asking > MAX_LOOKUPS) return toRecord([...kept, NO_WAY_ON]);
  }
  return toRecord(redirect ? [...kept, shortTerm(redirect)] : kept);
}

const toRecord = (terms: readonly string[]) => ['v=spf1', ...terms].join(' ');

/** RFC 7208 §6: `redirect=` and `exp=` stand once at most. */
const hasRepeats = (texts: readonly string[]): boolean =>
  [/^redirect=/i, /^exp=/i].some((name) => texts.filter((text) => name.test(text)).length > 1);

/** A valid name that can be none, as the long one is. */
const NO_NAME = `${'x'.repeat(64)}.invalid`;

/** The term with the end of its domain-spec that makes the same name. */
function shortTerm(term: SpfTerm): string {
  const { text } = term;
  const spec = specOf(term);
  if (text.length <= MAX_TERM || spec === '') return text;
  const from = text.indexOf(spec, text.length - term.value.length);
  const tail = tailOf(spec);
  const isName = tail.endsWith('}') || tail.replace(/\.$/, '').includes('.');
  return text.slice(0, from) + (isName ? tail : NO_NAME) + text.slice(from + spec.length);
}
