/**
 * Recognizes texts at `_dmarc` that were meant as a DMARC record but that no receiver accepts as one,
 * explains why, and returns the record that was meant.
 */

import { plainTags, withoutZoneSigns } from '../syntax/tag-list.ts';
import { KNOWN_TAGS } from './parse.ts';

const NEAR_MISS = /dmarc ?1|^[\s;]*p\s*=\s*(?:none|quarantine|reject)\b/i;

/** Maximum number of characters of a text that are read. No genuine record is that long. */
const MAX_LENGTH = 4096;

/** Returns whether a text was probably meant as a DMARC record. */
export const resemblesDmarc = (text: string): boolean =>
  NEAR_MISS.test(withoutZoneSigns(text.slice(0, MAX_LENGTH)));

/** Returns the reason why a text that resembles a DMARC record is not valid, as a phrase (RFC 9989 §4.7). */
export function whyNoRecord(text: string): string {
  const own = text.trim();
  if (/^["'“‘]/.test(own)) return 'begins with a quotation mark, which is part of the text';
  if (!/^v\s*=/i.test(own)) return 'does not begin with v=DMARC1';
  const [, value = ''] = /^v\s*=\s*([^\s;,]*)/i.exec(own) ?? [];
  if (/^dmarc1$/i.test(value) && value !== 'DMARC1') return `has v=${value} instead of v=DMARC1`;
  return value === 'DMARC1'
    ? 'has no semicolon after v=DMARC1'
    : 'does not begin with exactly v=DMARC1';
}

/** Returns the record that its owner meant to publish, with `v=DMARC1` first and valid separators. */
export function asIntended(text: string): string {
  const parts = plainTags(text.slice(0, MAX_LENGTH), KNOWN_TAGS)
    .split(';')
    .map((part) => part.replace(/^[\s,]+|[\s,]+$/g, ''))
    .filter((part) => part !== '' && !/^v\s*=|^dmarc ?1$/i.test(part));
  return ['v=DMARC1', ...parts].join('; ');
}
