/** Recognizes the prefixes of a subject that mark a reply or a forwarded email. */

/** The prefixes Re and Fwd, in the languages whose mail clients translate them. */
const REPLIES =
  're|aw|sv|vs|antw(?:ort)?|odp|res|ynt|vá|rép|réf|απ|回复|答复|回覆|答覆|返信|회신|رد|תגובה';
const FORWARDS = 'fwd?|wg|vb|vl|pd|tr|rv|enc|[iİ]lt|πρθ|转发|轉寄|轉發|転送|전달|إعادة توجيه|הועבר';

/** The number of replies, which some mail clients add to the prefix, as in `Re[2]:`. */
const COUNT = '(?:\\[\\d{1,3}\\])?';

/** Matches a subject that begins like a reply. */
export const REPLY = new RegExp(`^(?:${REPLIES})${COUNT}[:：]`, 'i');

/** Matches a subject that begins like a forwarded email. */
export const FORWARD = new RegExp(`^(?:${FORWARDS})${COUNT}[:：]`, 'i');

/**
 * Matches a subject that begins with one of these prefixes. Help desks and lists put their own name in
 * brackets before it.
 */
export const REPLY_OR_FORWARD = new RegExp(
  `^\\s*(?:\\[[^\\]]{1,60}\\]\\s*)?(?:${REPLIES}|${FORWARDS})${COUNT}\\s*[:：]`,
  'i',
);
