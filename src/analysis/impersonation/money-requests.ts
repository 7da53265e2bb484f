/** Recognizes requests for money or a favour whose replies go to a stranger. */

import { isFreemail, sameOrganization } from '../names/domain-names.ts';
import { isProviderDomain } from '../names/shared-pools.ts';
import { toOneLine } from '../text/words.ts';
import { labelOf } from './brands.ts';
import type { SenderClaims } from './claims.ts';
import { isOneOff } from './one-letter.ts';

/** Matches requests that are typical of impersonation, such as for gift cards, wherever the reply goes. */
const FAVOUR =
  /\b(?:please|can you|could you|need you to|help me)\b[^.]{0,20}\b(?:buy|get|purchase|pick up)\b[^.]{0,40}\bgift ?cards?\b|\b(?:please|can you|could you|need you to)\b[^.]{0,20}\b(?:reply with|send|forward|text)\b[^.]{0,40}(?<!\b(?:postal|post|zip|area|country|tax|source|discount|voucher) )\bcodes?\b|\b(?:kauf|besorg)\S*\b[^.]{0,40}\bgutscheinkarten?\b/;

/**
 * Matches a request for payment. It is honest if the reply goes to another department of the same
 * organization, and fraud if it goes to a stranger.
 */
const PAYMENT =
  /\b(?:urgent|immediate|confidential)\b[^.]{0,30}\b(?:payment|transfer|wire)|\b(?:new|changed|different|updated) (?:bank|account) (?:details|account|number)|\bbank details (?:have|has|were) (?:been )?changed|\bneue bankverbindung|\bbankverbindung (?:hat sich )?geändert|\bcoordonnées bancaires\b|\bnouveau rib\b|\bnuev[ao]s? (?:datos|cuenta) bancari[ao]s?/;

/**
 * Returns whether replies to a request for money go to someone who cannot belong to the same organization.
 */
export function asksForMoney(plain: string, claims: SenderClaims): boolean {
  const { fromDomain, replyDomain, wording, patterns } = claims;
  const from = fromDomain ?? '';
  if (replyDomain === null || sameOrganization(replyDomain, from)) return false;
  if (FAVOUR.test(plain)) return !patterns.includes('gift_cards');
  const isStranger = isFreemail(replyDomain) !== isFreemail(from) || isNearName(replyDomain, from);
  return (
    isStranger &&
    !isProviderDomain(from) &&
    !isFromForm(claims.text, replyDomain) &&
    (PAYMENT.test(plain) || wording.some((id) => ASKS_TO_PAY.includes(id)))
  );
}

/** Number of characters at the beginning of a text in which a form names its user. */
const MAX_FORM_HEAD = 1000;

/** Matches a label and an address, on one line or, as in the cells of a table, on two. */
const AUTHOR =
  /^[ \t]*\p{L}[\p{L} *-]{1,29}(?:[:：][ \t]*|[ \t]*\r?\n\s{0,20})[^:：@\n]{0,60}@([a-z0-9.-]{1,253})>?[ \t\r]*$/gimu;

/**
 * Returns whether the text was entered into a form on the sender's website. Such a text first names its
 * author, as in `Email: ada@mail.example`, and replies go to that address.
 */
function isFromForm(text: string, replyDomain: string): boolean {
  const head = text.slice(0, MAX_FORM_HEAD);
  const author = [...head.matchAll(AUTHOR)].find(
    ([, host = '']) => host.toLowerCase() === replyDomain,
  );
  return author !== undefined && !PAYMENT.test(toOneLine(head.slice(0, author.index)));
}

const ASKS_TO_PAY = ['bank_change', 'secret_transfer'];

/** Returns whether a part of one domain's label is almost the same as a part of the other's. */
const isNearName = (one: string, other: string): boolean =>
  labelOf(one)
    .split('-')
    .some((part) =>
      labelOf(other)
        .split('-')
        .some((wanted) => wanted.length > 4 && isOneOff(part, wanted)),
    );
