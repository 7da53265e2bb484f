/** Parses and corrects the report addresses in DMARC and TLS-RPT records. */

import { toDomain } from '../names/domain-names.ts';

/** Number of addresses that are read per tag. No honest record contains as many. */
const MAX_ADDRESSES = 100;

/** Maximum length of an address that is corrected, in characters. */
const MAX_LENGTH = 500;

/** A report address as receivers read it. */
interface ReportAddress {
  /** The address without a size limit such as `!10m`, which RFC 9990 removed. */
  readonly uri: string;
  readonly hasSize: boolean;
  /** Scheme in lower case. Null if the text does not begin with a scheme. */
  readonly scheme: string | null;
  /** True if no character, such as a comma or an exclamation mark, still has to be percent-encoded. */
  readonly isUri: boolean;
  /** Host to which a `mailto:` URI sends email. Null if the URI names no mailbox (RFC 6068 §2). */
  readonly host: string | null;
}

const SIZE_SUFFIX = /![0-9]+[kmgt]?$/i;

const URI = /^[a-z][a-z0-9+.-]*:(?:[a-z0-9\-._~:/?#[\]@$&'()*+;=]|%[0-9a-f]{2})*$/i;

/** Parses one report address (RFC 7489 §6.2, RFC 9989 §4.8, RFC 8460 §3). */
export function parseReportAddress(text: string): ReportAddress {
  const uri = text.replace(SIZE_SUFFIX, '');
  const isUri = URI.test(uri);
  const [, host] = (isUri && /^mailto:[^\s@?:]+@([a-z0-9._-]+)(?:\?|$)/i.exec(uri)) || [];
  return {
    uri,
    hasSize: uri !== text,
    scheme: /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase() ?? null,
    isUri,
    host: host?.toLowerCase() ?? null,
  };
}

/** Returns whether TLS reports can go to an address: a mailbox or an HTTPS URL (RFC 8460 §3). */
export function takesTlsReports(text: string): boolean {
  const { hasSize, isUri, host, uri } = parseReportAddress(text);
  return !hasSize && (host !== null || (isUri && /^https:\/\/./i.test(uri)));
}

/** Returns the addresses in a `rua=` or `ruf=`, which are separated by commas. */
export const splitAddresses = (value: string): string[] =>
  value
    .split(',', MAX_ADDRESSES)
    .map((uri) => uri.trim())
    .filter((uri) => uri !== '');

/** Returns the addresses in a `rua=` or `ruf=` as intended. White space may separate them too. */
export const intendedAddresses = (value: string): string[] =>
  value
    .replace(/mailto:\s+/gi, 'mailto:')
    .split(/[\s,]+/, MAX_ADDRESSES)
    .filter((uri) => uri !== '');

/** Returns an address with an internationalized domain in A-labels, which alone belong in a URI. */
function withAsciiHost(text: string): string {
  const start = text.lastIndexOf('@') + 1;
  const isForeign = text.length <= MAX_LENGTH && /[^\x20-\x7e]/.test(text.slice(start));
  const host = start > 0 && isForeign ? toDomain(text.slice(start)) : null;
  return host === null ? text : text.slice(0, start) + host;
}

/**
 * Corrects one report address. Returns null if it names no mailbox, because only its owner knows which one
 * was intended.
 */
export function correctAddress(text: string): string | null {
  const own = withAsciiHost(text.replace(/^(?:mailto:(?:\s|\/\/)*)+/i, 'mailto:').trim());
  const isBare = /^[^\s@<>:]+@[^\s@<>:]+$/.test(own);
  const { uri, scheme, isUri, host } = parseReportAddress(isBare ? `mailto:${own}` : own);
  const isUsable = isUri && own.length <= MAX_LENGTH && (scheme !== 'mailto' || host !== null);
  return isUsable ? uri : null;
}
