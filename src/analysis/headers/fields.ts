/**
 * Reads the Message-ID, the display name, the mail program, and the header fields that reveal internal
 * details.
 */

import { canonicalIp } from '../addresses.ts';
import { isIpv4Text, isPublicName, sameOrganization, toDomain } from '../names/domain-names.ts';
import { INTERNAL_NAME } from '../names/host-name.ts';
import { headerText } from '../syntax/charset.ts';
import { decodeWords } from '../syntax/encoded-words.ts';
import { fieldsNamed, firstNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { DIRECTION, splitWords, withoutComments } from '../syntax/words.ts';
import type { FieldFacts } from './facts.ts';
import mailers from './mailers.json' with { type: 'json' };

const MAX_ID_LENGTH = 1000;

// Patterns for the two sides of a Message-ID: dot-atom-text on both, or an address literal on the right (RFC
// 5322 §3.6.4, §3.2.3). UTF-8 is accepted here (RFC 6532), because the check `eight_bit_headers` judges
// whether the transaction allowed it.
const LEFT = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\u0080-\uffff-]+$/;
const RIGHT = /^(?:[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\u0080-\uffff-]+|\[[!-Z^-~]*\])$/;

const dotAtom = (text: string) =>
  !text.startsWith('.') && !text.endsWith('.') && !text.includes('..');

const syntaxOk = (left: string, right: string) =>
  LEFT.test(left) && dotAtom(left) && RIGHT.test(right) && dotAtom(right);

/** Returns whether the right side of a Message-ID is an address literal (RFC 5321 §4.1.3). */
const isAddressLiteral = (right: string): boolean => {
  const [, tag, address = ''] = /^\[(IPv6:)?([^\]]+)\]$/i.exec(right) ?? [];
  return canonicalIp(address) !== null && address.includes(':') === (tag !== undefined);
};

/** Returns whether the right side of a Message-ID has no meaning outside the sender's own network. */
const isOdd = (domain: string | null) =>
  domain === null ||
  isIpv4Text(domain) ||
  !domain.includes('.') ||
  domain.endsWith('.local') ||
  domain.endsWith('.localhost') ||
  domain.endsWith('.localdomain');

/**
 * Reads the Message-ID. `related` says whether its domain belongs to the organization of one of `domains`:
 * those of From and HELO, and later of DKIM (`d=`).
 */
export const readMessageId = (
  block: HeaderBlock,
  domains: readonly (string | null)[],
): FieldFacts['messageId'] => {
  const fields = fieldsNamed(block, 'message-id');
  const count = fields.length;
  const raw = headerText(fields[0]?.value ?? '');
  const value = raw.length > MAX_ID_LENGTH ? '' : withoutComments(raw).trim();
  const inner = value.startsWith('<') && value.endsWith('>') ? value.slice(1, -1) : null;
  const at = inner?.lastIndexOf('@') ?? -1;
  if (inner === null || at === -1)
    return { count, syntaxOk: false, domain: null, domainOdd: count > 0, related: false };

  const right = inner.slice(at + 1);
  const domain = right.startsWith('[') ? null : toDomain(right);
  return {
    count,
    syntaxOk: syntaxOk(inner.slice(0, at), right),
    domain,
    domainOdd: !isAddressLiteral(right) && isOdd(domain),
    related: isRelated(domain, domains),
  };
};

/** Returns whether a domain belongs to the same organization as at least one of the other domains. */
export const isRelated = (domain: string | null, domains: readonly (string | null)[]): boolean =>
  domain !== null && domains.some((other) => other !== null && sameOrganization(domain, other));

interface DisplayNameReading {
  readonly facts: FieldFacts['from']['displayName'];
  /** The words of the display name in lower case, which never leave the code that reads the email. */
  readonly words: readonly string[];
  /** The decoded display name, which never leaves the code that reads the email. */
  readonly text: string;
}

const MAX_NAME_LENGTH = 2000;

// Matches a soft hyphen, zero-width space, word joiner or byte order mark. The joiners U+200C and U+200D are
// not included, because several scripts and emoji need them.
const ZERO_WIDTH = /[\u00ad\u200b\u2060\ufeff]/;

/** Returns the domains that occur in a display name, and whether each is part of an email address. */
const domainsIn = (name: string) =>
  name
    .split(/[\s,;:/<>()[\]"']+/)
    .map((word) => ({ word, at: word.lastIndexOf('@') }))
    .map(({ word, at }) => ({
      address: at > 0,
      domain: toDomain(word.slice(at + 1).replace(/\.$/, '')),
    }))
    .filter((found): found is { address: boolean; domain: string } =>
      Boolean(found.domain?.includes('.') && isPublicName(found.domain)),
    );

/**
 * Reads a display name, including its encoded-words, and compares the domains in it with the domain of the
 * address.
 */
export const readDisplayName = (
  raw: string,
  { local, domain: fromDomain }: { readonly local: string; readonly domain: string | null },
): DisplayNameReading => {
  const name = decodeWords(raw).text.slice(0, MAX_NAME_LENGTH).trim();
  const found = domainsIn(name);
  const others = found.filter(
    ({ domain }) => fromDomain === null || !sameOrganization(domain, fromDomain),
  );
  const faults = [
    others.some(({ address }) => address) && 'address',
    others.some(({ address }) => !address) && 'domain',
    DIRECTION.test(name) && 'direction_override',
    ZERO_WIDTH.test(name) && 'zero_width',
  ].filter((fault) => fault !== false);
  const isAddress = name.toLowerCase() === `${local}@${fromDomain}`.toLowerCase();
  return {
    facts: { present: name !== '' && !isAddress, hasDomain: found.length > 0, faults },
    text: name,
    words: name.toLowerCase().match(/\p{L}+/gu) ?? [],
  };
};

/** Returns the name of a product in the form that a report may show: `[A-Za-z0-9 ._-]{1,40}`. */
const shown = (product: string) => product.replaceAll(/[^A-Za-z0-9 ._-]+/g, '-');

const BOUNDARY = /[^a-z0-9]/;

/** Returns whether a value begins with the name of a product as a whole word. */
const names = (value: string, product: string): boolean => {
  const name = product.toLowerCase();
  return value.startsWith(name) && BOUNDARY.test(`${value.charAt(name.length)} `.charAt(0));
};

/**
 * Returns the program that claims to have sent the email, without its version. Returns `other` if the program
 * is not in our list, and null if none is named.
 */
export const mailerOf = (block: HeaderBlock): string | null => {
  const value = firstNamed(block, 'x-mailer') ?? firstNamed(block, 'user-agent');
  if (value === null) return null;
  const plain = value.toLowerCase();
  // If several products match, the first one in the list counts.
  const product = mailers.find((one) => names(plain, one));
  return product === undefined ? 'other' : shown(product);
};

const TELLING = splitWords(
  'X-PHP-Originating-Script X-PHP-Script X-Originating-IP X-Sender-IP X-Client-IP X-Source-IP ' +
    'X-Source X-Source-Args X-Source-Dir X-Get-Message-Sender-Via X-Authenticated-Sender ' +
    'X-Authenticated-User',
);

// Matches RFC 1918 and RFC 4193 addresses that are not part of a longer number.
const PRIVATE_IP =
  /(?:^|[^0-9.])(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d{1,3}\.\d{1,3}(?:[^0-9.]|$)|IPv6:f[cd][0-9a-f]{2}:/i;

const tellsOfInside = ({ value }: { readonly value: string }) =>
  PRIVATE_IP.test(value) || INTERNAL_NAME.test(value);

/**
 * Returns the names of the header fields that reveal internal details of the sender's systems, each once.
 */
export const readLeaks = (block: HeaderBlock): readonly string[] => {
  const leaks: string[] = TELLING.filter(
    (name) => fieldsNamed(block, name.toLowerCase()).length > 0,
  );
  return fieldsNamed(block, 'received').some(tellsOfInside) ? [...leaks, 'Received'] : leaks;
};
