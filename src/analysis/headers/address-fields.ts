/** Reads the address fields of an email: From, To, Cc and Reply-To. */

import { MAX_FROM_ADDRESSES, MAX_FROM_BYTES } from '../limits.ts';
import { isFreemail, sameOrganization, toDomain } from '../names/domain-names.ts';
import { headerText } from '../syntax/charset.ts';
import { fieldsNamed, firstNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { withoutComments } from '../syntax/words.ts';
import { type AddressList, parseAddressList } from './address-list.ts';
import type { FieldFacts } from './facts.ts';

/** The author that the email claims to have, as far as others may know. */
export interface HeaderFrom {
  /** The one domain of all authors. Null if none can be read, or if there are several. */
  readonly domain: string | null;
  /** Distinct domains of all authors, at most 100. */
  readonly domains: readonly string[];
  readonly addresses: number;
  /**
   * Why there is no usable From: `missing`, `several_fields`, `too_large`, `too_many_addresses`,
   * `unparsable`, `no_address`, or `several_authors` (without a Sender). Null if it is usable.
   */
  readonly fault: string | null;
}

/**
 * The From field, including what must never leave the code that reads the email: the first author's mailbox,
 * and comments.
 */
export interface FromReading {
  readonly header: HeaderFrom;
  readonly local: string;
  /** As written, with its encoded-words. */
  readonly displayName: string;
  readonly comments: readonly string[];
  /** Notations that many readers do not know: `dot_at_end`, `route`, `group`, `unquoted`. */
  readonly oddities: readonly string[];
}

const unusable = (fault: string, addresses = 0): FromReading => ({
  header: { domain: null, domains: [], addresses, fault },
  local: '',
  displayName: '',
  comments: [],
  oddities: [],
});

/** Several authors need a Sender, so that one of them is responsible (RFC 5322 §3.6.2). */
const authorsFault = (authors: number, block: HeaderBlock) =>
  authors > 1 && fieldsNamed(block, 'sender').length === 0 ? 'several_authors' : null;

const domainsOf = (mailboxes: readonly { readonly domain: string | null }[]): string[] => [
  ...new Set(mailboxes.flatMap(({ domain }) => domain ?? [])),
];

/** Reads the From field, or says why it cannot be used. DMARC requires one (RFC 9989). */
export const readFrom = (block: HeaderBlock): FromReading => {
  const fields = fieldsNamed(block, 'from');
  const value = fields[0]?.value;
  if (value === undefined) return unusable('missing');
  if (fields.length > 1) return unusable('several_fields');
  if (value.length > MAX_FROM_BYTES) return unusable('too_large');

  const { mailboxes, unparsable, namePieces, groups, comments } = parseAddressList(
    headerText(value),
  );
  const addresses = mailboxes.length;
  if (addresses > MAX_FROM_ADDRESSES) return unusable('too_many_addresses', addresses);
  if (unparsable > namePieces.length) return unusable('unparsable', addresses);
  const first = mailboxes[0];
  if (!first) return unusable('no_address');
  if (mailboxes.some(({ domain }) => domain === null)) return unusable('unparsable', addresses);

  const domains = domainsOf(mailboxes);
  return {
    header: {
      domain: domains.length === 1 ? (domains[0] ?? null) : null,
      domains,
      addresses,
      fault: authorsFault(addresses, block),
    },
    local: first.local,
    displayName: [...namePieces, first.displayName].join(', '),
    comments,
    oddities: [
      ...(namePieces.length > 0 ? ['unquoted'] : []),
      ...new Set(mailboxes.flatMap(({ oddities }) => oddities)),
      ...(groups > 0 ? ['group'] : []),
    ],
  };
};

export interface TestAddress {
  readonly localPart: string;
  readonly domain: string;
}

/** Fields that a forwarder adds (RFC 5322 §3.6.6, and those of providers). */
const FORWARDED = ['resent-to', 'resent-from', 'x-forwarded-to', 'x-forwarded-for'];

/** Fields that a delivering server adds, with the address to which it delivered the email. */
const DELIVERED = ['delivered-to', 'x-original-to'];

/** Fields that are read per kind. */
const MAX_FIELDS = 50;

/**
 * Returns the domain in `for <a@b.example>` of a Received field (RFC 5321 §4.4). Nothing else from the field
 * is kept.
 */
const forDomain = (received: string): string | null =>
  toDomain(/\sfor\s+<?[^\s<>;]*@([^\s<>;]+)/i.exec(withoutComments(received))?.[1] ?? '');

/** Returns the domains to which the email was addressed on its route. */
const domainsOnRoute = (block: HeaderBlock): readonly string[] => [
  ...DELIVERED.flatMap((name) => fieldsNamed(block, name).slice(0, MAX_FIELDS)).flatMap(
    ({ value }) => toDomain(value.slice(value.lastIndexOf('@') + 1).replace(/>\s*$/, '')) ?? [],
  ),
  ...fieldsNamed(block, 'received')
    .slice(0, MAX_FIELDS)
    .flatMap(({ value }) => forDomain(value) ?? []),
];

const listsOf = (block: HeaderBlock, name: string): AddressList[] =>
  fieldsNamed(block, name).map(({ value }) => parseAddressList(headerText(value)));

const countOf = (lists: readonly AddressList[]) =>
  lists.reduce((sum, { mailboxes }) => sum + mailboxes.length, 0);

const holds = (lists: readonly AddressList[], { localPart, domain }: TestAddress) =>
  lists.some(({ mailboxes }) =>
    mailboxes.some(
      (one) =>
        one.domain === domain.toLowerCase() && one.local.toLowerCase() === localPart.toLowerCase(),
    ),
  );

/** Reads To and Cc, and looks for the address to which the email was sent. */
export const readRecipients = (
  block: HeaderBlock,
  address: TestAddress,
  fromDomain: string | null,
): FieldFacts['to'] => {
  const to = listsOf(block, 'to');
  const cc = listsOf(block, 'cc');
  const bcc = listsOf(block, 'bcc');
  const all = [...to, ...cc];
  const toCount = countOf(to);
  const ccCount = countOf(cc);
  const present = fieldsNamed(block, 'to').length > 0 || fieldsNamed(block, 'cc').length > 0;
  return {
    present,
    toCount,
    ccCount,
    undisclosed: toCount + ccCount === 0 && all.some(({ emptyGroups }) => emptyGroups > 0),
    testAddressFound: holds(all, address),
    testAddressInTo: holds(to, address),
    sentElsewhere: domainsOnRoute(block).some(
      (domain) =>
        !sameOrganization(domain, address.domain) &&
        !(fromDomain !== null && sameOrganization(domain, fromDomain)),
    ),
    forwarded: FORWARDED.some((name) => fieldsNamed(block, name).length > 0),
    emptyElements: all.some(({ emptyElements }) => emptyElements > 0),
    bcc: countOf(bcc) > (holds(bcc, address) ? 1 : 0),
  };
};

/** Compares Reply-To with From. Several addresses are allowed (RFC 5322 §3.6.2). */
export const readReplyTo = (
  block: HeaderBlock,
  fromDomain: string | null,
): FieldFacts['replyTo'] => {
  const value = firstNamed(block, 'reply-to');
  if (value === null)
    return { state: 'absent', domain: null, freemail: false, sameOrganization: true };

  const { mailboxes, unparsable } = parseAddressList(headerText(value));
  const domains = mailboxes.flatMap(({ domain }) => domain ?? []);
  const ok = unparsable === 0 && domains.length > 0 && domains.length === mailboxes.length;
  return {
    state: ok ? 'ok' : 'unparsable',
    domain: domains[0] ?? null,
    freemail: domains.some(isFreemail),
    sameOrganization:
      fromDomain !== null && domains.every((domain) => sameOrganization(domain, fromDomain)),
  };
};
