import { canonicalIp, hexOf } from '../addresses.ts';

/** Who sends: what a record is expanded with. */
export interface SpfSender {
  readonly ip: string;
  readonly helo: string;
  readonly localPart: string;
  /** Of MAIL FROM, or of HELO for a null sender. */
  readonly domain: string;
}

const EXPAND = /%(?:([%_-])|\{([a-z])(\d*)(r?)([.\-+,/_=]*)\})/gi;

/** RFC 7208 §7.1. */
const ESCAPED: Readonly<Record<string, string>> = { '%': '%', _: ' ', '-': '%20' };

/** Octets of a name (RFC 7208 §7.3). */
const MAX_NAME = 253;

export const isIpv6Sender = ({ ip }: SpfSender): boolean =>
  ip.includes(':') && (canonicalIp(ip)?.includes(':') ?? false);

/** The macro letters of a domain-spec, in lower case, each once. A spec may be 60 KB of macros. */
export function lettersOf(spec: string): readonly string[] {
  if (!spec.includes('%')) return [];
  const macros = spec.replace(/%[%_-]/g, ' ').match(/%\{[a-z]\d*r?[.\-+,/_=]*\}/gi) ?? [];
  return [...new Set(macros.map(([, , letter = '']) => letter.toLowerCase()))];
}

/** What a macro gives at least, in octets; that of a transformation may be empty where nobody means it. */
const MIN_MACRO = 1;

/** Most parts of a value that a transformer can ask for: no name has as many labels. */
const MAX_PARTS = 999;

/**
 * The end of a domain-spec that makes the same name: of one that expands to more than fits, RFC 7208
 * §7.3 takes labels away from the left. A spec may be 60 KB long.
 */
export function tailOf(spec: string): string {
  if (spec.length <= MAX_NAME) return spec;
  const pieces: string[] = [];
  let room = MAX_NAME + 1;
  let end = spec.length;
  const takeLiteral = (from: number) => {
    const literal = spec.slice(Math.max(from, end - room), end);
    if (literal === '') return;
    pieces.unshift(literal);
    room -= literal.length;
  };
  for (const macro of [...spec.matchAll(EXPAND)].reverse()) {
    takeLiteral(macro.index + macro[0].length);
    if (room <= 0) break;
    pieces.unshift(shortMacro(macro));
    room -= MIN_MACRO;
    end = macro.index;
    if (room <= 0) break;
  }
  if (room > 0) takeLiteral(0);
  return pieces.join('');
}

function shortMacro([text, , letter, digits = '', order = '', delimiters = '']: RegExpExecArray) {
  if (letter === undefined) return text;
  const count = digits === '' ? '' : Math.min(Number(digits), MAX_PARTS);
  return `%{${letter}${count}${order}${[...new Set(delimiters)].join('')}}`;
}

/**
 * A domain-spec with its macros expanded (RFC 7208 §7); null: one of them is no macro of a
 * domain-spec, or the local part is not ASCII (RFC 8616 §4), so that nothing matches.
 *
 * @param domain whose record it stands in
 * @param reverse what `%{p}` is
 */
export function expandSpec(
  spec: string,
  domain: string,
  sender: SpfSender,
  reverse: string,
): string | null {
  if (!spec.includes('%')) return toName(spec);
  // RFC 7208 §4.3.
  const localPart = sender.localPart || 'postmaster';
  const isAscii = /^[\x20-\x7e]*$/.test(localPart);
  const values: Readonly<Record<string, string>> = {
    d: domain,
    o: sender.domain,
    h: sender.helo,
    i: dottedIp(sender),
    p: reverse,
    v: isIpv6Sender(sender) ? 'ip6' : 'in-addr',
    ...(isAscii && { l: localPart, s: `${localPart}@${sender.domain}` }),
  };
  let isKnown = true;
  const text = spec.replace(
    EXPAND,
    (_, sign: string | undefined, letter = '', digits = '', order = '', delimiters = '') => {
      if (sign !== undefined) return ESCAPED[sign] ?? '';
      const value = values[letter.toLowerCase()];
      if (value === undefined) isKnown = false;
      const expanded = transform(value ?? '', Number(digits), order !== '', delimiters || '.');
      return letter === letter.toLowerCase() ? expanded : escapeUrl(expanded);
    },
  );
  return isKnown ? toName(text) : null;
}

const toName = (text: string): string => shorten(text.toLowerCase().replace(/\.$/, ''));

/** RFC 7208 §7.3: all but the unreserved characters of RFC 3986, for an upper-case letter. */
const escapeUrl = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const dottedIp = (sender: SpfSender): string =>
  isIpv6Sender(sender)
    ? [...(hexOf(sender.ip) ?? '')].join('.')
    : (canonicalIp(sender.ip) ?? sender.ip);

function transform(value: string, count: number, reverse: boolean, delimiters: string): string {
  const marked = [...value].map((sign) => (delimiters.includes(sign) ? '\0' : sign));
  const parts = marked.join('').split('\0');
  const ordered = reverse ? parts.toReversed() : parts;
  return ordered.slice(-count).join('.');
}

/** RFC 7208 §7.3: labels go from the left until the name fits. */
function shorten(name: string): string {
  let rest = name;
  while (rest.length > MAX_NAME && rest.includes('.')) rest = rest.slice(rest.indexOf('.') + 1);
  return rest;
}
