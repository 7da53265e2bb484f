/** Finds signs in an email's names, links and text that it claims to come from someone else. */

import { isUnder, organizationalDomain, sameOrganization } from '../names/domain-names.ts';
import { isProviderDomain } from '../names/shared-pools.ts';
import { ownLinesOf, warnsOfFraud, withoutQuotations } from '../text/own-words.ts';
import { toOneLine } from '../text/words.ts';
import { type Brand, brandsAt, isAbroad, labelOf, ownershipOf } from './brands.ts';
import type { SenderClaims } from './claims.ts';
import type { ImpersonationSign } from './facts.ts';
import { hasMixedWord, hasSplitWords, toLatin, toSkeleton } from './letters.ts';
import { isCousin, lookalikeOf, mayBeLookalike } from './lookalike.ts';
import { isNobody, isUnnamed, speaksAsMailSystem } from './mailbox.ts';
import { asksForMoney } from './money-requests.ts';
import {
  isSignedAsBrand,
  namerOf,
  namesBrand,
  offersFileOf,
  speaksAsBank,
} from './named-brands.ts';
import { maySpeakAs, speakerOf } from './speaker.ts';

/** Matches the beginning of a host name that is made to look like a domain by an ending such as `.com`. */
const EMBEDDED = /^(?:[a-z0-9-]+\.)*[a-z0-9-]{2,}\.(?:com|net|org|gov|edu)$/;

/**
 * Returns the domain with which a host name begins although the host is not under that domain, or null if
 * there is none.
 */
function embeddedIn(host: string, recipientDomain: string): string | null {
  const organization = organizationalDomain(host);
  if (host === organization) return null;
  const before = host.slice(0, -organization.length - 1);
  const labels = before.split('.');
  for (let end = labels.length; end > 1; end--) {
    const start = labels.slice(0, end).join('.');
    if ((EMBEDDED.test(start) || brandsAt(start).length > 0) && !/^www\.[a-z]+$/.test(start))
      return labels.slice(Math.max(0, end - 2), end).join('.');
  }
  const isRecipients = recipientDomain.includes('.') && isUnder(before, recipientDomain);
  return isRecipients ? recipientDomain : null;
}

/** Matches the host of a library's proxy, through which its readers open journals. */
const PROXY = /\.(?:[a-z]*proxy)\d*\./;

/**
 * Returns whether a host serves the pages of the domain with which it begins: those of the sender, as in
 * `www.shop.com.cdn.net`, those of the host's own brand, or, at the sender's own proxy, those of a journal.
 */
const servesPagesOf = (host: string, embedded: string, from: string): boolean =>
  (from !== '' && sameOrganization(embedded, from)) ||
  brandsAt(embedded).some((brand) => ownershipOf(host, brand) === 'own') ||
  (PROXY.test(host) && host !== from && from !== '' && sameOrganization(host, from));

/** Number of characters of an email's text that are searched for signs. */
const MAX_TEXT = 20_000;

/**
 * Returns the signs that make receivers think that an email claims to come from someone else. Only names are
 * compared: no link is opened, and no name is resolved.
 */
export function readSigns(claims: SenderClaims): readonly ImpersonationSign[] {
  const { fromDomain, displayName, subject, answeredDomains, replyDomain } = claims;
  const signs: ImpersonationSign[] = [];
  const add = (id: ImpersonationSign['id'], shown: string, real: string) =>
    signs.push({ id, shown, real });
  const from = fromDomain ?? '';
  const text = claims.text.slice(0, MAX_TEXT);

  const spoken = speakerOf(displayName);
  const isForeign = spoken !== undefined && isStrangerTo(spoken, claims);
  const names = namerOf([displayName, subject, text, ...claims.linkNames].join(' '));
  const lookalike = from === '' ? null : lookalikeOf(from, { spoken, names });
  // A display name and a domain that contains it are one sign. Altered letters in the domain are another.
  if (spoken && isForeign && from !== '' && (!spoken.partial || isBorrowed(spoken, claims)))
    add('brand_name', spoken.name, from);
  if (lookalike && (lookalike.altered || signs.length === 0) && claims.idn !== 'suspicious')
    add('brand_domain', lookalike.brand.name, from);
  // A newsletter that mentions a brand may link to it through a click counter.
  const shown = claims.isBulk && !isForeign ? [] : claims.mismatches;
  for (const { shown_domain, target_domain } of shown)
    if (showsBrand(shown_domain, target_domain, from))
      add('brand_link', shown_domain, target_domain);
  for (const host of [from, ...claims.linkHosts]) {
    const embedded = embeddedIn(host, claims.recipientDomain);
    if (embedded !== null && !servesPagesOf(host, embedded, from))
      add('embedded_domain', embedded, host);
  }
  for (const answered of [...answeredDomains, ...(replyDomain ? [replyDomain] : [])])
    if (isNearDomain(from, answered)) add('near_domain', organizationalDomain(answered), from);
  if (hasMixedWord(displayName) || hasMixedWord(subject)) add('mixed_letters', 'Latin', from);
  if (hasSplitWords(`${displayName} ${subject} ${text}`)) add('hidden_letters', '', from);

  const links = linkedStrangers(claims, names);
  const altered = claims.isBulk ? undefined : links.find(({ found }) => found?.altered);
  if (altered?.found) add('link_domain', altered.found.brand.name, altered.host);
  if (isNearOwnName(displayName, from)) add('near_domain', 'the name of its sender', from);

  const plain = toOneLine(`${subject} ${text}`);
  const isBorrowedName =
    isForeign ||
    mayBeLookalike(from) ||
    isNobody(claims) ||
    links.some(({ host, found }) => found !== null || mayBeLookalike(host));
  // Fraud wording counts as one sign, even if it also matches another of the rules below.
  const isBeside =
    brandsAt(from).length === 0 &&
    (claims.wording.length > 0
      ? signs.length > 0 || isBorrowedName || contradictsItself(claims, ownLinesOf(text))
      : isBorrowedName && offersFileOf(plain, claims));
  if (speaksAsMailSystem(claims)) add('mail_system', '', from);
  else if (asksForMoney(plain, claims)) add('money_reply', replyDomain ?? '', from);
  else if (isBeside) add('wording', '', from);
  return signs.filter(
    (one, at) => signs.findIndex(({ id, real }) => id === one.id && real === one.real) === at,
  );
}

/** Returns whether the names, links or text of an email with fraud wording contradict its sender. */
function contradictsItself(claims: SenderClaims, text: string): boolean {
  const { fromDomain, displayName, hidesTarget, subject } = claims;
  const from = fromDomain ?? '';
  const plain = toOneLine(`${subject} ${text}`);
  if (maySpeakAs(displayName, from) || isCousin(from, displayName) || hidesTarget) return true;
  if (isSignedAsBrand(text, claims) || isUnnamed(claims, plain)) return true;
  // A text that reports or quotes a fraud does not make the request itself.
  const ownWords = warnsOfFraud(plain) ? '' : withoutQuotations(plain);
  return namesBrand(ownWords, claims) || speaksAsBank(ownWords, claims);
}

/** Number of link hosts that are examined. Each host is compared with all brand names. */
const MAX_HOSTS = 20;

/** Returns the linked hosts that do not belong to the sender, with the brand that each imitates. */
const linkedStrangers = (
  { fromDomain, linkHosts, isBulk, wording }: SenderClaims,
  names: (brand: Brand) => boolean,
) =>
  // A newsletter without fraud wording may link to anyone.
  (isBulk && wording.length === 0 ? [] : linkHosts)
    .filter((host) => fromDomain === null || !sameOrganization(host, fromDomain))
    .slice(0, MAX_HOSTS)
    .map((host) => ({ host, found: lookalikeOf(host, { spoken: undefined, names }) }));

/**
 * Returns whether a domain differs from the sender's own display name only by similar letters: `Meridian
 * Supplies` at `meridian-supplles.com`.
 */
function isNearOwnName(displayName: string, from: string): boolean {
  const label = labelOf(from).replaceAll('-', '');
  const name = toLatin(displayName).replace(/[^a-z0-9]/g, '');
  const asRead = (text: string) => toSkeleton(text).replaceAll('i', 'l');
  return (
    name.length >= MIN_OWN_NAME &&
    name !== label &&
    !/\d/.test(label + name) &&
    asRead(name) === asRead(label)
  );
}

/** Length of the shortest display name that is compared. Shorter names are too similar to each other. */
const MIN_OWN_NAME = 6;

const isHostOf = (domain: string, { domains }: Brand): boolean =>
  brandsAt(domain).some((one) => one.domains === domains);

/** Returns whether the sender does not belong to a brand, as far as the brand's domains are known. */
const isStrangerTo = (brand: Brand, { fromDomain, isOfHost }: SenderClaims): boolean =>
  ownershipOf(fromDomain ?? '', brand) === 'foreign' &&
  // Only the provider itself has such an address: `postmaster@outlook.com`.
  !(isOfHost && isHostOf(fromDomain ?? '', brand));

/**
 * Returns whether a sender only borrows the name of a brand whose domains are partly known. Its domain is
 * then neither one of the brand's national domains nor a platform's, and no link leads to the brand. Emails
 * from those who write for the brand do link to it.
 */
const isBorrowed = (brand: Brand, { fromDomain, linkHosts }: SenderClaims): boolean =>
  fromDomain !== null &&
  !brand.isWord &&
  isAbroad(fromDomain, brand) &&
  !isHostOf(fromDomain, brand) &&
  !isProviderDomain(fromDomain) &&
  linkHosts.every((host) => ownershipOf(host, brand) === 'foreign');

/**
 * Returns whether a link shows a brand's domain but leads to a stranger, in an email that does not come from
 * the brand.
 */
const showsBrand = (shown: string, target: string, from: string): boolean =>
  brandsAt(shown).some((brand) =>
    [target, from].every((domain) => ownershipOf(domain, brand) !== 'own'),
  );

/** Returns whether two different domains with the same ending look the same at a glance. */
function isNearDomain(from: string, other: string): boolean {
  const [one, two] = [organizationalDomain(from), organizationalDomain(other)];
  if (one === two || one === '' || two === '') return false;
  const [label, wanted] = [labelOf(one), labelOf(two)];
  const isSameEnding = one.slice(label.length) === two.slice(wanted.length);
  return isSameEnding && wanted.length > 3 && toSkeleton(label) === toSkeleton(wanted);
}
