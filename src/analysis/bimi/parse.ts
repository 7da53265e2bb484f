/** Parses and corrects BIMI records, and decides whether a DMARC policy is strict enough for BIMI. */

import { pctOf } from '../dmarc/correct.ts';
import type { DmarcRecord } from '../dmarc/parse.ts';
import { parseTagList, plainTags } from '../syntax/tag-list.ts';

/**
 * The content of the BIMI record, a TXT record at `default._bimi`
 * (draft-brand-indicators-for-message-identification §4).
 */
export type BimiRecord =
  | { readonly state: 'absent' }
  | { readonly state: 'broken'; readonly record: string | null; readonly fault: string }
  | { readonly state: 'declined'; readonly record: string }
  | {
      readonly state: 'usable';
      readonly record: string;
      readonly logoUrl: string;
      /** URL of the mark certificate. Null if the record names none. */
      readonly certificateUrl: string | null;
    };

export function readBimi(texts: readonly string[]): BimiRecord {
  const records = texts
    .map((text) => text.trim())
    .filter((text) => /^v[ \t]*=[ \t]*BIMI1[ \t]*(?:;|$)/i.test(text));
  const near = texts.find((text) => /^\W*v\s*[=:]\s*bimi/i.test(text));
  const [record, ...others] = records;
  if (record === undefined)
    return near === undefined
      ? { state: 'absent' }
      : { state: 'broken', record: near, fault: 'the record does not begin with v=BIMI1' };
  if (others.length > 0)
    return { state: 'broken', record: null, fault: `${records.length} v=BIMI1 records` };
  const tags = parseTagList(record);
  const logoUrl = tags.get('l');
  const certificateUrl = tags.get('a') || null;
  if (logoUrl === '' && certificateUrl === null) return { state: 'declined', record };
  if (!logoUrl) return { state: 'broken', record, fault: 'l= is missing' };
  if (!isHttps(logoUrl)) return { state: 'broken', record, fault: 'l= is not an https URL' };
  if (RASTER.test(logoUrl))
    return { state: 'broken', record, fault: 'l= names an image that is not an SVG' };
  if (certificateUrl !== null && !isHttps(certificateUrl))
    return { state: 'broken', record, fault: 'a= is not an https URL' };
  return { state: 'usable', record, logoUrl, certificateUrl };
}

/**
 * Matches the file extension of a raster image. No receiver shows a raster image, because a logo must be an
 * SVG.
 */
const RASTER = /\.(?:png|jpe?g|gif|webp|bmp|ico)(?:[?#]|$)/i;

const isHttps = (text: string): boolean =>
  URL.canParse(text) && new URL(text).protocol === 'https:';

/**
 * Returns whether a DMARC policy is as strict as BIMI requires: enforced for all mail, including subdomains,
 * and not in test mode (§7.1).
 */
export function isStrongEnough(record: DmarcRecord | null): boolean {
  if (!record || record.report.testing || record.report.subdomain_policy === 'none') return false;
  if (record.policy === 'quarantine') return pctOf(record.tags) === null;
  return record.policy === 'reject';
}

const toHttps = (url: string): string => url.trim().replace(/^http:/i, 'https:');

/**
 * Returns a corrected copy of the sender's own BIMI record, or null if the record does not name an SVG logo.
 */
export function correctBimi(record: string): string | null {
  const tags = parseTagList(plainTags(record, ['v', 'l', 'a', 'avp']));
  const isUrl = (url: string) => /^https:\/\/[^/]/i.test(url);
  const [logo = '', certificate = ''] = ['l', 'a'].map((name) => toHttps(tags.get(name) ?? ''));
  const [avp] = /^(?:brand|personal)$/i.exec(tags.get('avp') ?? '') ?? [];
  return isUrl(logo) && !RASTER.test(logo)
    ? `v=BIMI1; l=${logo}; a=${isUrl(certificate) ? certificate : ''}${avp ? `; avp=${avp}` : ''}`
    : null;
}
