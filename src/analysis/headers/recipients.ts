import type { HeaderFacts } from '../mail-facts.ts';
import { headerText } from '../syntax/charset.ts';
import { fieldsNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { type AddressList, parseAddressList } from './address-list.ts';

export interface RecipientsReading {
  readonly facts: HeaderFacts['to'];
  readonly toCount: number;
  readonly ccCount: number;
  readonly testAddressInTo: boolean;
}

export interface TestAddress {
  readonly localPart: string;
  readonly domain: string;
}

/** Fields of those who send a mail on (RFC 5322 §3.6.6, and what providers add). */
const FORWARDED = ['resent-to', 'resent-from', 'x-forwarded-to', 'x-forwarded-for'];

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
export const readRecipients = (block: HeaderBlock, address: TestAddress): RecipientsReading => {
  const to = listsOf(block, 'to');
  const cc = listsOf(block, 'cc');
  const all = [...to, ...cc];
  const toCount = countOf(to);
  const ccCount = countOf(cc);
  const present = fieldsNamed(block, 'to').length > 0 || fieldsNamed(block, 'cc').length > 0;
  return {
    toCount,
    ccCount,
    testAddressInTo: holds(to, address),
    facts: {
      present,
      undisclosed: toCount + ccCount === 0 && all.some(({ emptyGroups }) => emptyGroups > 0),
      testAddressFound: holds(all, address),
      forwarded: FORWARDED.some((name) => fieldsNamed(block, name).length > 0),
    },
  };
};
