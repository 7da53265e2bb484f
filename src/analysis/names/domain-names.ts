import { getDomain, parse } from 'tldts';

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

const isHostName = (name: string) =>
  name.length <= 253 && name.split('.').every((label) => LABEL.test(label));

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII is intended
const ASCII = /^[\x00-\x7f]*$/;

/** Only letters, digits and the like beyond ASCII: nothing the URL parser would take as syntax. */
const UNICODE_NAME = /^[\p{L}\p{N}\p{M}._\u00b7\u3002\uff0e\uff61-]+$/u;

/** A domain name in lower case with A-labels; null: it is not a domain name (RFC 1035, RFC 5890). */
export const toDomain = (text: string): string | null => {
  if (text.length > 255) return null;
  const name = text.endsWith('.') ? text.slice(0, -1) : text;
  if (ASCII.test(name)) {
    const lower = name.toLowerCase();
    return isHostName(lower) ? lower : null;
  }
  if (!UNICODE_NAME.test(name)) return null;
  try {
    const { hostname } = new URL(`http://${name}`);
    return isHostName(hostname) ? hostname : null;
  } catch {
    return null;
  }
};

const RULES = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

/** By the Public Suffix List; a public suffix, or a name without a dot, is its own organization. */
export const organizationalDomain = (name: string): string => getDomain(name, RULES) ?? name;

/** Ends in a suffix that IANA delegates, so that it can be a name of the public DNS. */
export const isPublicName = (name: string): boolean => {
  const { domain, isIcann, isPrivate } = parse(name, RULES);
  return domain !== null && (isIcann === true || isPrivate === true);
};

export const isUnder = (name: string, parent: string): boolean =>
  name === parent || name.endsWith(`.${parent}`);

/** Both belong to one organization by the Public Suffix List. */
export const sameOrganization = (one: string, other: string): boolean =>
  organizationalDomain(one) === organizationalDomain(other);

/** Four numbers and dots: an address, not a name. */
export const isIpv4Text = (text: string): boolean => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text);
