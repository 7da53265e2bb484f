/** Recognises requests for money or a favour whose replies go to a stranger. */

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

/**
 * Returns whether the text was entered into a form on the sender's website. Such a text first names its
 * author, on a line of its own such as `Email: ada@mail.example`, to whom the replies go.
 */
function isFromForm(text: string, replyDomain: string): boolean {
  const lines = text.slice(0, MAX_FORM_HEAD).split('\n');
  const named = lines.findIndex((line) => {
    const [, label = '', host = ''] = AUTHOR_LINE.exec(line) ?? [];
    return label !== '' && host.toLowerCase() === replyDomain;
  });
  return named !== -1 && !PAYMENT.test(toOneLine(lines.slice(0, named).join(' ')));
}

/** Matches a line that consists of a label and an address. */
const AUTHOR_LINE = /^\s*([\p{L} *-]{2,30}[:：\t])[^:：@]{0,60}@([a-z0-9.-]{1,253})>?\s*$/iu;

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
