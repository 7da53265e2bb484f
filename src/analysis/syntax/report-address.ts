/** Report addresses in DMARC and TLS-RPT records, in the form that receivers can read. */

/** Addresses that are read per tag. No honest record has as many. */
export const MAX_URIS = 100;

/** A size limit after a report address, which RFC 9990 removed. */
export const SIZE_SUFFIX = /![0-9]+[kmgt]?$/i;

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/**
 * Corrects one address. Returns null if it names no mailbox, because only its owner knows which one was
 * intended.
 */
export function correctAddress(uri: string): string | null {
  const own = uri.replace(/^mailto:(?:\s|\/\/)*/i, 'mailto:').trim();
  if (/^[^\s@<>:]+@[^\s@<>:]+$/.test(own)) return `mailto:${own}`.replace(SIZE_SUFFIX, '');
  if (!SCHEME.test(own) || /[\s<>"]/.test(own) || own.length > 500) return null;
  if (/^mailto:/i.test(own) && !/^mailto:[^@]+@[^@]+$/i.test(own)) return null;
  return own.replace(SIZE_SUFFIX, '');
}

/**
 * Returns the addresses of a `rua=` or `ruf=` as published. They are separated by a comma or white space.
 */
export const listAddresses = (value: string): string[] =>
  value
    .replace(/mailto:\s+/gi, 'mailto:')
    .split(/[\s,]+/, MAX_URIS)
    .filter((uri) => uri !== '');
