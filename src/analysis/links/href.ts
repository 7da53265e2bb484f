/** Classifies link targets by their form, without opening them, and finds URLs in plain text. */

import ipaddr from 'ipaddr.js';
import { isPublicName, toDomain } from '../names/domain-names.ts';

/** A link or an image in the email. Its target and text never leave the code that reads the email. */
export interface BodyLink {
  readonly href: string;
  /** The text of the link that the reader sees. Null for images and for links in plain text. */
  readonly text: string | null;
  readonly role: 'link' | 'image' | 'unsubscribe';
}

export interface BodyLinks {
  /** Links of the HTML, or of the text if there is no HTML. At most 1,000. */
  readonly links: readonly BodyLink[];
  readonly truncated: boolean;
  readonly unsubscribeFound: boolean;
}

/**
 * The kind of a link target, judged by the form of its `href` or `src` alone. Nothing but its host is kept.
 */
export type Target =
  | { readonly kind: 'web'; readonly web: WebTarget }
  | { readonly kind: 'active' | 'in_page' | 'other' }
  | {
      readonly kind: 'malformed';
      readonly shape: 'empty' | 'relative' | 'unparsable' | 'file' | 'localhost';
    };

export interface WebTarget {
  readonly scheme: 'http' | 'https';
  /** The host in lower case, as A-labels. An IPv6 address is in brackets. */
  readonly host: string;
  readonly ipLiteral: boolean;
  readonly userinfo: boolean;
  readonly oddPort: boolean;
  /**
   * The fault of the host: only the sender's own machine or network knows it, or it contains invisible
   * characters. Null if there is none.
   */
  readonly shape: 'localhost' | 'private_host' | 'zero_width' | null;
}

/**
 * Maximum length of a URL's authority in characters, including a user name and password. The host alone has
 * at most 255 octets.
 */
const MAX_AUTHORITY_LENGTH = 2048;

// biome-ignore lint/suspicious/noControlCharactersInRegex: URL Standard §4.4, step 1
const CONTROLS_BEFORE = /^[\x00-\x20]+/;

const ACTIVE = ['javascript', 'vbscript', 'livescript'];

/** Matches a `data:` URL that contains a page. Images, fonts, media and style sheets are not pages. */
const PAGE_IN_URL = /^data:(?!(?:image|font|audio|video)\/(?!svg)|text\/css)/i;

const PRIVATE_SUFFIX = /\.(?:local|localdomain|lan|internal|intranet|corp|home|private)$/;

// Browsers remove these invisible characters from a host name (UTS #46). Filters are not fooled, and count
// them as a disguise.
const ZERO_WIDTH = /[\u00ad\u200b\u2060\ufeff]/;

const ipRange = (host: string): string | null => {
  const text = host.startsWith('[') ? host.slice(1, -1) : host;
  return /^[\d.]+$/.test(text) || text.includes(':') ? ipaddr.parse(text).range() : null;
};

const shapeOf = (host: string, range: string | null): WebTarget['shape'] => {
  if (host === 'localhost' || host.endsWith('.localhost')) return 'localhost';
  if (range === 'loopback' || range === 'unspecified') return 'localhost';
  if (range !== null)
    return ['private', 'uniqueLocal', 'linkLocal'].includes(range) ? 'private_host' : null;
  return !host.includes('.') || PRIVATE_SUFFIX.test(host) ? 'private_host' : null;
};

/**
 * Judged targets of one email, by scheme and authority. Many links of an email lead to the same few hosts.
 */
type Known = Map<string, Target>;

/**
 * Judges only the scheme and the authority of a URL. The path is not examined, because it cannot make a URL
 * unparsable.
 */
const webTarget = (scheme: 'http' | 'https', rest: string, known: Known): Target => {
  const authority = rest.replace(/^[/\\]+/, '').split(/[/\\?#]/, 1)[0] ?? '';
  const key = `${scheme} ${authority}`;
  const target = known.get(key) ?? judgeAuthority(scheme, authority);
  known.set(key, target);
  return target;
};

const judgeAuthority = (scheme: 'http' | 'https', authority: string): Target => {
  if (authority.length > MAX_AUTHORITY_LENGTH) return { kind: 'malformed', shape: 'unparsable' };
  try {
    const url = new URL(`${scheme}://${authority}`);
    const range = ipRange(url.hostname);
    const host = range === null ? toDomain(url.hostname) : url.hostname;
    if (host === null) return { kind: 'malformed', shape: 'unparsable' };
    const web = {
      scheme,
      host,
      ipLiteral: range !== null,
      userinfo: url.username !== '' || url.password !== '',
      oddPort: url.port !== '',
      shape: ZERO_WIDTH.test(authority) ? 'zero_width' : shapeOf(host, range),
    };
    return { kind: 'web', web };
  } catch {
    return { kind: 'malformed', shape: 'unparsable' };
  }
};

/**
 * Matches relative URLs such as `www.example.com/a`, `/a` and `?a`, which only work on a page of a website. A
 * template field does not match.
 */
const RELATIVE = /^[\p{L}\p{N}_./?~-]/u;

/** Matches misspelt schemes such as `htp:`. */
const MISTYPED = /^h*t+p+s*$/;

/** Judges a target without a scheme. A host that is followed by a port only looks like a scheme. */
const withoutScheme = (text: string): Target => {
  if (/^localhost(?:[:/]|$)/i.test(text)) return { kind: 'malformed', shape: 'localhost' };
  return { kind: 'malformed', shape: RELATIVE.test(text) ? 'relative' : 'unparsable' };
};

/** Returns a target as a browser reads it, without leading control characters and without line breaks. */
const asRead = (raw: string): string =>
  raw
    .slice(0, MAX_AUTHORITY_LENGTH * 2)
    .replace(CONTROLS_BEFORE, '')
    .replace(/[\t\r\n]/g, '');

const schemeOf = (text: string): string | undefined =>
  /^([a-z][a-z0-9+.-]{0,30}):/i.exec(text)?.[1]?.toLowerCase();

/**
 * Returns `javascript` if a target is code to run, `data` if it contains a page, and otherwise null. The host
 * of such a target does not matter.
 */
export const activeScheme = (raw: string): 'javascript' | 'data' | null => {
  const text = asRead(raw);
  if (PAGE_IN_URL.test(text)) return 'data';
  return ACTIVE.includes(schemeOf(text) ?? '') ? 'javascript' : null;
};

/** Judges a link target. `known` contains the targets of the same email that were already judged. */
export const judgeHref = (raw: string, known: Known = new Map()): Target => {
  const text = asRead(raw);
  if (text.trim() === '' || text.trim() === '#') return { kind: 'malformed', shape: 'empty' };
  if (text.startsWith('#')) return { kind: 'in_page' };
  // Unlike a web page, an email has no scheme of its own that a link could inherit.
  if (text.startsWith('//')) return webTarget('https', text, known);
  const scheme = schemeOf(text);
  if (scheme === undefined || scheme === 'localhost' || scheme.includes('.'))
    return withoutScheme(text);
  if (scheme === 'http' || scheme === 'https')
    return webTarget(scheme, text.slice(scheme.length + 1), known);
  if (ACTIVE.includes(scheme) || PAGE_IN_URL.test(text)) return { kind: 'active' };
  if (MISTYPED.test(scheme)) return { kind: 'malformed', shape: 'unparsable' };
  return scheme === 'file' ? { kind: 'malformed', shape: 'file' } : { kind: 'other' };
};

// Takes linear time, because a single character class follows a fixed beginning. Quotation marks and brackets
// of any script end a URL.
const URL_IN_TEXT =
  /(?:https?:\/\/|mailto:|(?<![\w./@-])www\.(?=\w))[^\s<>"'()|`\u00ab\u00bb\u2018-\u201f\u2026\u2039\u203a\u3000-\u303f\uff00-\uff0f\uff1a-\uff20]{1,2000}/gi;

/** Characters at the end of a URL that belong to the sentence or emphasis around it. */
const TRAILING = '.,;:!?*_~]}';

const withoutTrailing = (url: string): string => {
  let end = url.length;
  while (end > 0 && TRAILING.includes(url[end - 1] as string)) end--;
  return url.slice(0, end);
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII is intended
const AUTHORITY = /^https?:\/\/([\x00-\x7f]*?)(?=[/?#]|[^\x00-\x7f]|$)/i;

/** Removes the text that directly follows a URL in scripts without spaces: `https://www.example.comです`. */
const withoutText = (url: string): string => {
  const [whole = '', authority = ''] = AUTHORITY.exec(url) ?? [];
  const next = url[whole.length];
  if (next === undefined || /[/?#]/.test(next)) return url;
  const host = toDomain(authority);
  return host?.includes('.') && isPublicName(host) ? whole : url;
};

/** Yields the URLs that a mail client turns into links in plain text, and their positions. */
export function* urlsInText(text: string): Generator<{ href: string; index: number }> {
  for (const { 0: found, index } of text.matchAll(URL_IN_TEXT)) {
    const url = withoutTrailing(/^www\./i.test(found) ? `https://${found}` : found);
    yield { href: withoutText(url), index };
  }
}
