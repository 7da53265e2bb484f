/** Texts at `_dmarc` that somebody intended as a DMARC record and that no receiver takes for one. */

const NAMES = 'v|p|sp|np|adkim|aspf|fo|rua|ruf|t|psd|pct|rf|ri';

/** Quotation marks and backslashes of a zone file that became part of the text. */
const ZONE_SIGNS = /["'\\“”‘’]/g;

/** A tag begins after anything that somebody takes for a separator. */
const BOUNDARY = new RegExp(`[;,\\s]+(?=(?:${NAMES})\\s*=)`, 'i');

const NEAR_MISS = /dmarc ?1|^[\s;]*p\s*=\s*(?:none|quarantine|reject)\b/i;

/** Longest text that is read, in characters: no honest record is as long. */
const MAX_LENGTH = 4096;

const bare = (text: string): string => text.slice(0, MAX_LENGTH).replace(ZONE_SIGNS, '').trim();

/** Whether somebody intended this as a DMARC record. */
export const resemblesDmarc = (text: string): boolean => NEAR_MISS.test(bare(text));

/** What keeps a text that resembles a record from being one (RFC 9989 §4.7), in words. */
export function whyNoRecord(text: string): string {
  const own = text.trim();
  if (/^["'“‘]/.test(own)) return 'begins with a quotation mark, which is part of the text';
  if (!/^v\s*=/i.test(own)) return 'does not begin with v=DMARC1';
  const [, value = ''] = /^v\s*=\s*([^\s;,]*)/i.exec(own) ?? [];
  if (/^dmarc1$/i.test(value) && value !== 'DMARC1') return `has v=${value} instead of v=DMARC1`;
  return value === 'DMARC1'
    ? 'has no semicolon after v=DMARC1'
    : 'does not begin with v=DMARC1 alone';
}

/** The same text with separators that are some: what its owner intended to publish. */
export function asIntended(text: string): string {
  const parts = bare(text)
    .split(';')
    .flatMap((part) => part.split(BOUNDARY))
    .map((part) => part.replace(/^[\s,]+|[\s,]+$/g, ''))
    .filter((part) => part !== '' && !/^v\s*=|^dmarc ?1$/i.test(part));
  return ['v=DMARC1', ...parts].join('; ');
}
