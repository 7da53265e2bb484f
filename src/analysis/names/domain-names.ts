/**
 * Parses, normalizes and compares domain names, finds the organizational domain by the Public Suffix List,
 * recognizes freemail domains, and decides which hosts receive a domain's mail.
 */

import { getDomain, parse } from 'tldts';
import { publicFrom } from '../advice/fill.ts';
import type { Facts } from '../facts.ts';
import { ifKnown, type LookupResult } from '../lookup-result.ts';
import type { MailHosts } from './facts.ts';
import freemail from './freemail.json' with { type: 'json' };

/** Freemail domains, at which anyone can have a mailbox. They belong only to their providers. */
const domains: ReadonlySet<string> = new Set(freemail);

export const isFreemail = (domain: string | null): boolean =>
  domain !== null && domains.has(domain);

/**
 * Number of labels in the reverse name of an IPv4 /24 and of an IPv6 /48, including `in-addr.arpa` or
 * `ip6.arpa`.
 */
const REVERSE_LABELS = { 'in-addr': 5, ip6: 14 } as const;

/**
 * Returns the zone above a name for which a single party is responsible. The name servers of such a zone fail
 * together.
 */
export function administeredZone(name: string): string {
  const [, tree] = /\.(in-addr|ip6)\.arpa$/.exec(name) ?? [];
  return tree === 'in-addr' || tree === 'ip6'
    ? name.split('.').slice(-REVERSE_LABELS[tree]).join('.')
    : organizationalDomain(name);
}

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

const hasValidLabels = (name: string) =>
  name.length <= 253 && name.split('.').every((label) => LABEL.test(label));

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII is intended
const ASCII = /^[\x00-\x7f]*$/;

/**
 * Matches names of letters, digits and similar characters in any script, but nothing that the URL parser
 * would treat as syntax.
 */
const UNICODE_NAME = /^[\p{L}\p{N}\p{M}._\u00b7\u3002\uff0e\uff61-]+$/u;

/**
 * Returns a domain name in lower case with A-labels, or null if the text is not a domain name (RFC 1035, RFC
 * 5890).
 */
export const toDomain = (text: string): string | null => {
  if (text.length > 255) return null;
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  if (ASCII.test(name)) {
    const lower = name.toLowerCase();
    return hasValidLabels(lower) ? lower : null;
  }
  if (!UNICODE_NAME.test(name)) return null;
  try {
    const { hostname } = new URL(`http://${name}`);
    return hasValidLabels(hostname) ? hostname : null;
  } catch {
    return null;
  }
};

const RULES = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

/**
 * Returns the organizational domain according to the Public Suffix List. A public suffix, or a name without a
 * dot, is its own organization.
 */
export const organizationalDomain = (name: string): string => getDomain(name, RULES) ?? name;

/**
 * Returns whether a name is a public suffix according to the Public Suffix List, so that the names below it
 * have different owners.
 */
export const isPublicSuffix = (name: string): boolean => getDomain(name, RULES) === null;

/** Returns whether a name is under a known public suffix, so that it can exist in the public DNS. */
export const isPublicName = (name: string): boolean => {
  const { domain, isIcann, isPrivate } = parse(name, RULES);
  return domain !== null && (isIcann === true || isPrivate === true);
};

/**
 * Returns whether a name lies in a domain whose owner hands out names to customers, according to the private
 * section of the Public Suffix List.
 */
export const isHandedOut = (name: string): boolean => parse(name, RULES).isPrivate === true;

export const isUnder = (name: string, parent: string): boolean =>
  name === parent || (name.endsWith(parent) && name.at(-parent.length - 1) === '.');

/** Returns whether two names belong to one organization according to the Public Suffix List. */
export const sameOrganization = (one: string, other: string): boolean =>
  organizationalDomain(one) === organizationalDomain(other);

/** Returns whether a text consists of four numbers separated by dots, which is an address and not a name. */
export const isIpv4Text = (text: string): boolean => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text);

/**
 * Returns the hosts that receive a domain's mail. Without an MX record, the domain's own address is used (RFC
 * 5321 §5.1).
 */
export const mailHostsOf = (
  domain: string,
  { mx, nullMx, hasAddress }: MailHosts,
): readonly string[] => (mx.length === 0 && !nullMx && hasAddress ? [domain] : mx);

/**
 * Returns a lookup about receiving mail, or `undefined` if the From domain receives none: it does not exist,
 * exists only in a private network, or has a null MX (RFC 7505).
 */
export const ofReceiver = <T>(
  facts: Facts,
  lookup: LookupResult<T> | undefined,
): LookupResult<T> | undefined => {
  const { fromDomainExists, fromMx } = facts.names;
  const takesMail = ifKnown(fromDomainExists) !== false && !ifKnown(fromMx)?.nullMx;
  return publicFrom(facts) === null || !takesMail ? undefined : lookup;
};
