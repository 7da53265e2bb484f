/**
 * Recognizes emails that pretend to come from the reader's own mail system, whose sender is nameless, or that
 * ask for money without saying who sends them.
 */

import { isFreemail, sameOrganization } from '../names/domain-names.ts';
import { wordSet } from '../syntax/words.ts';
import { brandsAt, labelOf } from './brands.ts';
import type { SenderClaims } from './claims.ts';
import { toLatin } from './letters.ts';
import offices from './offices.json' with { type: 'json' };

/** The claims that show whether an email pretends to come from the reader's mail system. */
type MailboxClaims = Pick<SenderClaims, 'fromDomain' | 'displayName' | 'isOfMailbox' | 'linkHosts'>;

/**
 * Role words: names for a mail system, a service or its staff. A real company also has a name of its own.
 */
const ROLES = wordSet(Object.values(offices).join(' '));

const wordsOf = (text: string): readonly string[] => toLatin(text).match(/\p{L}+/gu) ?? [];

/** Returns whether a word is a role word, or two role words written as one. */
const isRole = (word: string): boolean =>
  ROLES.has(word) ||
  [...word].some((_, at) => ROLES.has(word.slice(0, at)) && ROLES.has(word.slice(at)));

const isOfRoles = (words: readonly string[], atLeast: number): boolean =>
  words.length >= atLeast && words.every(isRole);

/**
 * Returns the words in a host's registered name. A number at the end adds no meaning and is removed:
 * `bescheid24`.
 */
const labelWords = (host: string): readonly string[] =>
  labelOf(host)
    .split('-')
    .map((word) => word.replace(/\d+$/, ''))
    .filter(Boolean);

const isNameless = (displayName: string): boolean => wordsOf(displayName).every(isRole);

/**
 * Returns whether a display name contains all words of a host's registered name, and a name besides them:
 * `Nordlicht Cloud Service` at `cloud-service.de`.
 */
const isNamedAfter = (displayName: string, host: string): boolean => {
  const words = wordsOf(displayName);
  return !isNameless(displayName) && labelWords(host).every((word) => words.includes(word));
};

/**
 * Returns whether the sender of an email is nameless. Either its domain or that of a link consists only of
 * role words that the display name does not explain, or the display name does at a freemail provider.
 */
export const isNobody = ({
  fromDomain,
  displayName,
  linkHosts,
}: Omit<MailboxClaims, 'isOfMailbox'>): boolean =>
  fromDomain !== null &&
  ([fromDomain, ...linkHosts].some(
    (host) => isOfRoles(labelWords(host), 2) && !isNamedAfter(displayName, host),
  ) ||
    (isNameless(displayName) && isFreemail(fromDomain)));

/**
 * Fraud rules for requests in which honest senders say who they are, because nobody pays a fee to a nameless
 * sender.
 */
const OF_STRANGERS = ['parcel_fee', 'tax_refund', 'authority_threat'];

/** Fraud rules for requests to customers, who recognize the sender by links to its own pages. */
const OF_CUSTOMERS = ['declined_payment', 'refund_details', 'call_off', 'overdue_invoice'];

/** Matches the legal form of a company, such as GmbH or Ltd. */
const LEGAL_FORM =
  /\b(?:gmbh|ag|kg|ohg|ug|e\.? ?v\.|ltd|limited|plc|llc|inc|s\.? ?a\.? ?r\.? ?l|sarl|sas|s\.? ?l\. ?u?|s\.? ?p\.? ?a|s\.? ?r\.? ?l|b\.? ?v|n\.? ?v|sp\. ?z ?o\.? ?o|s\.? ?a|lda)\b/u;

const WEB_URL = /(?:https?:\/\/|www\.)\S+/;

/** Removes email addresses and URLs. Each word is read alone, because a text may be one long word. */
export const withoutAddresses = (text: string): string =>
  text.replace(/\S+/g, (word) => (/\S@\S/.test(word) ? ' ' : word.replace(WEB_URL, ' ')));

/** Length of the shortest part of a domain that does not appear in a text by accident. */
const MIN_NAME = 3;

/**
 * Returns whether an email asks for money although neither its display name nor its text says whose domain it
 * comes from. At a freemail provider, a person's name is enough.
 */
export function isUnnamed(
  { fromDomain, displayName, linkHosts, wording }: SenderClaims,
  plain: string,
): boolean {
  if (fromDomain === null) return false;
  const isOwnPage = linkHosts.some((host) => sameOrganization(host, fromDomain));
  const asks = (id: string) =>
    OF_STRANGERS.includes(id) || (!isOwnPage && OF_CUSTOMERS.includes(id));
  if (!wording.some(asks)) return false;
  const words = wordsOf(displayName);
  const named = words.filter((word) => !isRole(word));
  if (isFreemail(fromDomain)) return named.length === 0;
  const text = toLatin(`${displayName} ${withoutAddresses(plain)}`);
  const label = labelOf(fromDomain);
  const parts = label.split('-').filter((part) => part.length >= MIN_NAME && !isRole(part));
  const joined = text.replace(/[^\p{L}\p{N}]/gu, '');
  const initials = words.map(([first]) => first).join('');
  const isSaid =
    [label.replaceAll('-', ''), ...parts].some((part) => joined.includes(part)) ||
    // A name in another script cannot be compared with a domain in Latin letters.
    named.some(
      (word) => !/^[a-z]+$/.test(word) || (word.length >= MIN_NAME && label.includes(word)),
    ) ||
    (initials.length > 1 && label.includes(initials)) ||
    LEGAL_FORM.test(text);
  return !isSaid;
}

/**
 * Returns whether an email claims to come from the reader's own mail system although its sender cannot be
 * that system. The sender is then nameless, or its display name consists of role words and all links lead to
 * someone else. A provider that writes under its own name does not count.
 */
export function speaksAsMailSystem(claims: MailboxClaims): boolean {
  const { fromDomain, displayName, isOfMailbox, linkHosts } = claims;
  if (fromDomain === null || !isOfMailbox) return false;
  const leadsAway =
    linkHosts.length > 0 &&
    // Many organizations send their users to Microsoft or Google to enter a password.
    linkHosts.every((host) => !sameOrganization(host, fromDomain) && brandsAt(host).length === 0);
  return isNobody(claims) || (isNameless(displayName) && leadsAway);
}
