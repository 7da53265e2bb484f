/**
 * Reads the address fields of an email: judges whether From is usable, looks for the test address in To, Cc
 * and Bcc, recognizes forwarding, and compares Reply-To with From.
 */

import { MAX_FROM_ADDRESSES, MAX_FROM_BYTES } from '../limits.ts';
import { isFreemail, sameOrganization, toDomain } from '../names/domain-names.ts';
import { headerText } from '../syntax/charset.ts';
import { fieldsNamed, firstNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { withoutComments } from '../syntax/words.ts';
import { type AddressList, parseAddressList } from './address-list.ts';
import type { FieldFacts } from './facts.ts';

/** The parts of the From field that may leave the code that reads the email. */
export interface HeaderFrom {
  /** The domain of all authors. Null if it cannot be read, or if the authors have different domains. */
  readonly domain: string | null;
  /** The different domains of all authors, at most 100. */
  readonly domains: readonly string[];
  readonly addresses: number;
  /**
   * The reason why From is unusable: `missing`, `several_fields`, `too_large`, `too_many_addresses`,
   * `unparsable`, `no_address`, or `several_authors` (without a Sender). Null if it is usable.
   */
  readonly fault: string | null;
}

/**
 * The From field, including the parts that must never leave the code that reads the email: the first author's
 * mailbox, and the comments.
 */
export interface FromReading {
  readonly header: HeaderFrom;
  readonly local: string;
  /** The display name as written, with its encoded-words. */
  readonly displayName: string;
  readonly comments: readonly string[];
  /** Unusual forms that many mail programs cannot read: `dot_at_end`, `route`, `group`, `unquoted`. */
  readonly oddities: readonly string[];
}

const unusable = (fault: string, addresses = 0): FromReading => ({
  header: { domain: null, domains: [], addresses, fault },
  local: '',
  displayName: '',
  comments: [],
  oddities: [],
});

/**
 * Returns the fault of a From field with several authors if there is no Sender field, which would say who is
 * responsible (RFC 5322 §3.6.2).
 */
const authorsFault = (authors: number, block: HeaderBlock) =>
  authors > 1 && fieldsNamed(block, 'sender').length === 0 ? 'several_authors' : null;

const domainsOf = (mailboxes: readonly { readonly domain: string | null }[]): string[] => [
  ...new Set(mailboxes.flatMap(({ domain }) => domain ?? [])),
];

/**
 * Reads the From field, or returns the reason why it is unusable. DMARC requires a usable one (RFC 9989).
 */
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

/** Header fields that a forwarder adds (RFC 5322 §3.6.6, and fields of mailbox providers). */
const FORWARDED = ['resent-to', 'resent-from', 'x-forwarded-to', 'x-forwarded-for'];

/** Header fields in which a delivering server records the address to which it delivered the email. */
const DELIVERED = ['delivered-to', 'x-original-to'];

/** Maximum number of fields of the same name that are read. */
const MAX_FIELDS = 50;

/**
 * Returns the domain in the `for <a@b.example>` clause of a Received field (RFC 5321 §4.4). Nothing else from
 * the field is kept.
 */
const forDomain = (received: string): string | null =>
  toDomain(/\sfor\s+<?[^\s<>;]*@([^\s<>;]+)/i.exec(withoutComments(received))?.[1] ?? '');

/** Returns the domains to which the email was addressed along its route. */
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

/** Reads To, Cc and Bcc, and looks in them for the test address. */
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

/**
 * Compares the addresses in Reply-To with the From domain. Several addresses are allowed (RFC 5322 §3.6.2).
 */
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
