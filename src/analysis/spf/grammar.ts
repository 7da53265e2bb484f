import ipaddr from 'ipaddr.js';
import type { SpfTerm } from './parse.ts';

// RFC 7208 §7.1. Words of the ABNF are without case; zero parts are none (§7.3).
const MACRO = /%(?:[%_-]|\{[slodiphv](?!0+(?!\d))\d*r?[.\-+,/_=]*\})/gi;
/** In an unknown modifier the letters of `exp=` texts are grammar too. */
const ANY_MACRO = /%(?:[%_-]|\{[slodiphvcrt](?!0+(?!\d))\d*r?[.\-+,/_=]*\})/gi;

/** Stands for a macro in what is left of a text; no record holds one. */
const MACRO_MARK = '\0';
const LITERAL = /^[\0\x21-\x24\x26-\x7e]*$/;

/** Octets (RFC 1035 §2.3.4). */
const MAX_LABEL = 63;

/** RFC 7208 §12 `toplabel`, said without a choice of ways to match: letters, digits, inner hyphens. */
const TOP_LABEL = /^(?!-)[a-z0-9-]+$/i;
const isTopLabel = (label: string): boolean =>
  TOP_LABEL.test(label) && !label.endsWith('-') && !/^\d+$/.test(label);

/** RFC 7208 §12 `domain-spec`: ends in a macro, or in a label after a dot. */
function isDomainSpec(text: string): boolean {
  const left = text.replace(MACRO, MACRO_MARK);
  if (left === '' || !LITERAL.test(left)) return false;
  if (left.endsWith(MACRO_MARK)) return true;
  const labels = left.replace(/\.$/, '').split('.');
  return labels.length > 1 && isTopLabel(labels.at(-1) ?? '');
}

/** Whether an expanded name can be looked up (RFC 7208 §4.3): two labels at least, none too long. */
export function isTargetName(name: string): boolean {
  const labels = name.split('.');
  return (
    labels.length > 1 &&
    labels.every(({ length }) => length > 0 && length <= MAX_LABEL) &&
    isTopLabel(labels.at(-1) ?? '')
  );
}

const isPrefix = (text: string | undefined, bits: number): boolean =>
  text === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(text) && Number(text) <= bits);

/** The domain of `a` and `mx`, and the prefix lengths after it (RFC 7208 §5.6 `dual-cidr-length`). */
const ADDRESS_TERM = /^[+\-~?]?(?:a|mx)(:.*?)?(?:\/(\d+))?(?:\/\/(\d+))?$/is;

function isAddressTerm(text: string): boolean {
  const match = ADDRESS_TERM.exec(text);
  if (!match) return false;
  const [, domain, ip4, ip6] = match;
  return (
    (domain === undefined || isDomainSpec(domain.slice(1))) &&
    isPrefix(ip4, 32) &&
    isPrefix(ip6, 128)
  );
}

const isIpv4 = (text: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(text);

// Without a zone, which is of one host only; four decimal parts at the end are IPv4's own.
const isIpv6 = (text: string): boolean =>
  text.includes(':') &&
  !text.includes('%') &&
  ipaddr.IPv6.isValid(text) &&
  (!text.includes('.') || isIpv4(text.slice(text.lastIndexOf(':') + 1)));

function isNetwork({ name, value }: SpfTerm): boolean {
  const [address = '', prefix, ...more] = value.split('/');
  if (more.length > 0) return false;
  return name === 'ip4'
    ? isIpv4(address) && isPrefix(prefix, 32)
    : isIpv6(address) && isPrefix(prefix, 128);
}

/**
 * Whether a term follows the grammar of RFC 7208 §12. One that does not makes the whole record a
 * permerror, wherever it stands (§4.6).
 */
export function isValidTerm(term: SpfTerm): boolean {
  const { text, kind, name, value } = term;
  if (kind === 'unknown' || !/^[\x21-\x7e]*$/.test(text)) return false;
  if (kind === 'modifier')
    return name === 'redirect' || name === 'exp'
      ? isDomainSpec(value)
      : LITERAL.test(value.replace(ANY_MACRO, MACRO_MARK));
  switch (name) {
    case 'all':
      return /^[+\-~?]?all$/i.test(text);
    case 'a':
    case 'mx':
      return isAddressTerm(text);
    case 'ptr':
      return /^[+\-~?]?ptr$/i.test(text) || (text.includes(':') && isDomainSpec(value));
    case 'ip4':
    case 'ip6':
      return text.includes(':') && isNetwork(term);
    default:
      return text.includes(':') && isDomainSpec(value);
  }
}
