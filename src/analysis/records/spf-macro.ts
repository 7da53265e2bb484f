import { canonicalIp, hexOf } from '../addresses.ts';

/** Who sends: what a record may be expanded with. The local part is not for us to look up. */
export interface SpfSender {
  readonly ip: string;
  readonly helo: string;
  /** Of MAIL FROM, or of HELO for a null sender. */
  readonly domain: string;
}

const EXPAND = /%(?:([%_-])|\{([a-z])(\d*)(r?)([.\-+,/_=]*)\})/gi;

/** RFC 7208 §7.1. */
const ESCAPED: Readonly<Record<string, string>> = { '%': '%', _: ' ', '-': '%20' };

/** Octets of a name (RFC 7208 §7.3). */
const MAX_NAME = 253;

export const isIpv6Sender = ({ ip }: SpfSender): boolean => canonicalIp(ip)?.includes(':') ?? false;

/**
 * A domain-spec with its macros expanded (RFC 7208 §7); null: one of them is the local part, a
 * reverse name or no macro of a domain-spec.
 *
 * @param domain whose record it stands in
 */
export function expandSpec(spec: string, domain: string, sender: SpfSender): string | null {
  const values: Readonly<Record<string, string>> = {
    d: domain,
    o: sender.domain,
    h: sender.helo,
    i: dottedIp(sender),
    v: isIpv6Sender(sender) ? 'ip6' : 'in-addr',
  };
  let isKnown = true;
  const text = spec.replace(
    EXPAND,
    (_, sign: string | undefined, letter = '', digits = '', reverse = '', delimiters = '') => {
      if (sign !== undefined) return ESCAPED[sign] ?? '';
      const value = values[letter.toLowerCase()];
      if (value === undefined) isKnown = false;
      const expanded = transform(value ?? '', Number(digits), reverse !== '', delimiters || '.');
      // RFC 7208 §7.3: an upper-case letter escapes what a URL would.
      return letter === letter.toLowerCase() ? expanded : encodeURIComponent(expanded);
    },
  );
  return isKnown ? shorten(text.toLowerCase().replace(/\.$/, '')) : null;
}

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
