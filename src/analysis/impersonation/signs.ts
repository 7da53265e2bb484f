import type { ImpersonationSign } from '../mail-facts.ts';
import { isUnder, organizationalDomain, sameOrganization } from '../names/domain-names.ts';
import { toOneLine } from '../text/plain.ts';
import { BRAND_ROLES, BRANDS, type Brand, isOwners, ROLE_WORDS } from './brands.ts';
import { hasMixedWord, hasSplitWords, toLatin, toSkeleton } from './letters.ts';
import { speaksAsMailSystem } from './mailbox.ts';

/** What the signs are read from. Texts stay inside. */
export interface SenderClaims {
  readonly fromDomain: string | null;
  readonly displayName: string;
  readonly subject: string;
  readonly text: string;
  /** Domains of Message-IDs that the mail answers. */
  readonly answeredDomains: readonly string[];
  /** Null: no Reply-To, or one that cannot be read. */
  readonly replyDomain: string | null;
  readonly recipientDomain: string;
  readonly linkHosts: readonly string[];
  readonly mismatches: readonly { readonly shown_domain: string; readonly target_domain: string }[];
}

const MAX_NAME_WORDS = 8;

const wordsOf = (text: string): readonly string[] =>
  toLatin(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const SPEAKERS = BRANDS.map((brand) => ({ brand, wanted: wordsOf(brand.name) }));

/** Whether a display name is a brand's: its words, and nothing after them but what offices are called. */
function speaksAs(
  name: readonly string[],
  { brand: { isWord }, wanted }: (typeof SPEAKERS)[number],
): boolean {
  const rest = name.slice(wanted.length);
  if (!wanted.every((word, at) => name[at] === word)) return false;
  const [next] = rest;
  if (next === undefined || (isWord && !BRAND_ROLES.has(next)))
    return next === undefined && !isWord;
  return next === 'via' || rest.every((word) => ROLE_WORDS.has(word));
}

const labelOf = (domain: string): string => organizationalDomain(domain).split('.', 1)[0] ?? '';

/** Whether a label was written to be taken for a brand's: with its name in it, or nearly. */
function isLike(domain: string, { owners }: Brand): boolean {
  const parts = labelOf(domain).split('-').map(toSkeleton);
  const names = owners.map(toSkeleton).filter((owner) => owner.length > 3);
  return parts.some((part) => names.some((name) => part === name || isOneOff(part, name)));
}

/** One letter left out, added or changed. */
function isOneOff(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1 || one === other) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const [restOne, restOther] = [one.slice(at), other.slice(at)];
  return (
    restOne.slice(1) === restOther ||
    restOne === restOther.slice(1) ||
    restOne.slice(1) === restOther.slice(1)
  );
}

/** Endings that stand within a host name only to make its beginning look like a domain. */
const EMBEDDED = /^(?:[a-z0-9-]+\.)*[a-z0-9-]{2,}\.(?:com|net|org|gov|edu)$/;

/** The domain that a host shows at its beginning and is not under; null: none. */
function embeddedIn(host: string, recipientDomain: string): string | null {
  const organization = organizationalDomain(host);
  if (host === organization) return null;
  const before = host.slice(0, -organization.length - 1);
  const labels = before.split('.');
  for (let end = labels.length; end > 1; end--) {
    const start = labels.slice(0, end).join('.');
    if (EMBEDDED.test(start) && !/^www\.[a-z]+$/.test(start))
      return labels.slice(Math.max(0, end - 2), end).join('.');
  }
  const isRecipients = recipientDomain.includes('.') && isUnder(before, recipientDomain);
  return isRecipients ? recipientDomain : null;
}

/** What is asked for by those who write as somebody else. */
const MONEY =
  /\b(?:please|can you|could you|need you to|help me)\b[^.]{0,20}\b(?:buy|get|purchase|pick up)\b[^.]{0,40}\bgift ?cards?\b|\b(?:please|can you|could you|need you to)\b[^.]{0,20}\b(?:reply with|send|forward|text)\b[^.]{0,40}\bcodes?\b|\b(?:new|changed|different|updated) (?:bank|account) (?:details|account|number)|\bbank details (?:have|has|were) (?:been )?changed|\bwire transfer\b|\burgent (?:payment|transfer)|\bneue bankverbindung|\bbankverbindung (?:hat sich )?geändert|\b(?:kauf|besorg)\S*\b[^.]{0,40}\bgutscheinkarten?\b|\bnouveau rib\b|\bcoordonnées bancaires\b|\bnuev[ao]s? (?:datos|cuenta) bancari[ao]s?/;

/** How much of a text is read, in characters. */
const MAX_TEXT = 20_000;

/**
 * Signs that a receiver reads as speaking for somebody else. Only names are compared: no link is
 * opened, no name resolved.
 */
export function readSigns(claims: SenderClaims): readonly ImpersonationSign[] {
  const { fromDomain, displayName, subject, answeredDomains, replyDomain } = claims;
  const signs: ImpersonationSign[] = [];
  const add = (id: ImpersonationSign['id'], shown: string, real: string) =>
    signs.push({ id, shown, real });
  const from = fromDomain ?? '';
  const text = claims.text.slice(0, MAX_TEXT);

  const name = wordsOf(displayName).slice(0, MAX_NAME_WORDS);
  const spoken = SPEAKERS.find((speaker) => speaksAs(name, speaker))?.brand;
  if (spoken && fromDomain !== null && !isOwners(fromDomain, spoken)) {
    add('brand_name', spoken.name, from);
    if (isLike(fromDomain, spoken)) add('brand_domain', spoken.name, from);
  }
  for (const { shown_domain, target_domain } of claims.mismatches)
    if (BRANDS.some((brand) => isOwners(shown_domain, brand) && !isOwners(target_domain, brand)))
      add('brand_link', shown_domain, target_domain);
  for (const host of [from, ...claims.linkHosts]) {
    const embedded = embeddedIn(host, claims.recipientDomain);
    // A name of one's own at a host that serves it, as in `www.shop.com.cdn.net`.
    const isOwn = embedded !== null && from !== '' && sameOrganization(embedded, from);
    if (embedded !== null && !isOwn) add('embedded_domain', embedded, host);
  }
  for (const answered of [...answeredDomains, ...(replyDomain ? [replyDomain] : [])])
    if (isNearDomain(from, answered)) add('near_domain', organizationalDomain(answered), from);
  if (hasMixedWord(displayName) || hasMixedWord(subject)) add('mixed_letters', 'Latin', from);
  if (hasSplitWords(`${displayName} ${subject} ${text}`)) add('hidden_letters', '', from);
  if (speaksAsMailSystem({ ...claims, text: `${subject} ${text}` })) add('mail_system', '', from);
  const isElsewhere = replyDomain !== null && !sameOrganization(replyDomain, from);
  if (isElsewhere && MONEY.test(toOneLine(`${subject} ${text}`)))
    add('money_reply', replyDomain, from);
  return signs.filter(
    (one, at) => signs.findIndex(({ id, real }) => id === one.id && real === one.real) === at,
  );
}

/** Another domain of the same ending that reads the same at a glance. */
function isNearDomain(from: string, other: string): boolean {
  const [one, two] = [organizationalDomain(from), organizationalDomain(other)];
  if (one === two || one === '' || two === '') return false;
  const [label, wanted] = [labelOf(one), labelOf(two)];
  const isSameEnding = one.slice(label.length) === two.slice(wanted.length);
  return isSameEnding && wanted.length > 3 && toSkeleton(label) === toSkeleton(wanted);
}
