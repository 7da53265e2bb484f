import { isFreemail, sameOrganization } from '../names/domain-names.ts';
import { wordSet } from '../syntax/words.ts';
import { brandsAt, labelOf } from './brands.ts';
import type { SenderClaims } from './claims.ts';
import { toLatin } from './letters.ts';
import offices from './offices.json' with { type: 'json' };

/** What the notice is read from. */
type MailboxClaims = Pick<SenderClaims, 'fromDomain' | 'displayName' | 'isOfMailbox' | 'linkHosts'>;

/** What a mail system and its people are called; a company has a name besides. */
const ROLES = wordSet(Object.values(offices).join(' '));

const wordsOf = (text: string): readonly string[] => toLatin(text).match(/\p{L}+/gu) ?? [];

/** A role, or two written as one word. */
const isRole = (word: string): boolean =>
  ROLES.has(word) ||
  [...word].some((_, at) => ROLES.has(word.slice(0, at)) && ROLES.has(word.slice(at)));

const isOfRoles = (words: readonly string[], atLeast: number): boolean =>
  words.length >= atLeast && words.every(isRole);

/** `bescheid24`: a number says no more. */
const labelWords = (host: string): readonly string[] =>
  labelOf(host)
    .split('-')
    .map((word) => word.replace(/\d+$/, ''))
    .filter(Boolean);

const isNameless = (displayName: string): boolean => wordsOf(displayName).every(isRole);

/**
 * Whether a mail is from nobody by name: a domain made of words of offices alone, or links to one, or an
 * office without a name at a free mail provider.
 */
export const isNobody = ({
  fromDomain,
  displayName,
  linkHosts,
}: Omit<MailboxClaims, 'isOfMailbox'>): boolean =>
  fromDomain !== null &&
  ([fromDomain, ...linkHosts].some((host) => isOfRoles(labelWords(host), 2)) ||
    (isNameless(displayName) && isFreemail(fromDomain)));

/** Kinds whose honest senders say who they are: nobody pays a fee to somebody without a name. */
const OF_STRANGERS = ['parcel_fee', 'tax_refund', 'authority_threat'];

/** The same of customers, who know a sender by its own page. */
const OF_CUSTOMERS = ['declined_payment', 'refund_details', 'call_off', 'overdue_invoice'];

/** How a company is called in the law. */
const LEGAL_FORM =
  /\b(?:gmbh|ag|kg|ohg|ug|e\.? ?v\.|ltd|limited|plc|llc|inc|s\.? ?a\.? ?r\.? ?l|sarl|sas|s\.? ?l\. ?u?|s\.? ?p\.? ?a|s\.? ?r\.? ?l|b\.? ?v|n\.? ?v|sp\. ?z ?o\.? ?o|s\.? ?a|lda)\b/u;

const ADDRESS = /(?:https?:\/\/|www\.)\S+|\S+@\S+/g;

/** The shortest part of a domain that is found in a text by no accident. */
const MIN_NAME = 3;

/**
 * Whether neither the display name nor the text says whose the domain is, where a stranger asks for money.
 * At a free mail provider, a person's name is enough.
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
  const text = toLatin(`${displayName} ${plain.replace(ADDRESS, ' ')}`);
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
 * Whether a mail speaks as the reader's own mail system and is from nobody who could be it: nobody by name,
 * or an office without a name whose links all lead to somebody else. A provider that writes under its own
 * name is not meant.
 */
export function speaksAsMailSystem(claims: MailboxClaims): boolean {
  const { fromDomain, displayName, isOfMailbox, linkHosts } = claims;
  if (fromDomain === null || !isOfMailbox) return false;
  const leadsAway =
    linkHosts.length > 0 &&
    // Many an office sends its readers to Microsoft or Google for a password.
    linkHosts.every((host) => !sameOrganization(host, fromDomain) && brandsAt(host).length === 0);
  return isNobody(claims) || (isNameless(displayName) && leadsAway);
}
