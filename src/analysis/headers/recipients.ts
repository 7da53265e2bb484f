import { sameOrganization, toDomain } from '../names/domain-names.ts';
import { headerText } from '../syntax/charset.ts';
import { withoutComments } from '../syntax/comments.ts';
import { fieldsNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { type AddressList, parseAddressList } from './address-list.ts';
import type { FieldFacts } from './facts.ts';

export interface TestAddress {
  readonly localPart: string;
  readonly domain: string;
}

/** Fields of those who send a mail on (RFC 5322 §3.6.6, and what providers add). */
const FORWARDED = ['resent-to', 'resent-from', 'x-forwarded-to', 'x-forwarded-for'];

/** Fields of those who deliver a mail, with the address that it was delivered to on its way. */
const DELIVERED = ['delivered-to', 'x-original-to'];

/** Fields of a kind that are read. */
const MAX_FIELDS = 50;

/** The domain in `for <a@b.example>` of a Received field (RFC 5321 §4.4). Nothing else of it is kept. */
const forDomain = (received: string): string | null =>
  toDomain(/\sfor\s+<?[^\s<>;]*@([^\s<>;]+)/i.exec(withoutComments(received))?.[1] ?? '');

/** Domains that the mail was for on its way. */
const domainsOnWay = (block: HeaderBlock): readonly string[] => [
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

/** Reads To and Cc, and looks for the address that the mail was sent to. */
export const readRecipients = (
  block: HeaderBlock,
  address: TestAddress,
  fromDomain: string | null,
): FieldFacts['to'] => {
  const to = listsOf(block, 'to');
  const cc = listsOf(block, 'cc');
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
    sentElsewhere: domainsOnWay(block).some(
      (domain) =>
        !sameOrganization(domain, address.domain) &&
        !(fromDomain !== null && sameOrganization(domain, fromDomain)),
    ),
    forwarded: FORWARDED.some((name) => fieldsNamed(block, name).length > 0),
  };
};
