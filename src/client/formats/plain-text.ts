/** Removes characters from text that could control a terminal or mislead a reader. */

/**
 * Matches control characters except line ends, characters that change the direction of text, and characters
 * that XML forbids.
 */
const CONTROL = /(?!\n)(?:\p{Cc}|\p{Bidi_Control}|[\u2028\u2029\ufeff\ufffe\uffff])/gu;

/**
 * Makes text of a report safe to print. DNS records come from the sender, and could contain sequences that
 * move a terminal's cursor, change the direction of text or break a file. Line ends are kept.
 */
export const plainText = (text: string): string =>
  text.toWellFormed().replaceAll('\t', ' ').replace(CONTROL, '\ufffd');

/** Makes text safe to print, and puts it on one line. */
export const plainLine = (text: string): string => plainText(text).replace(/\s*\n\s*/g, ' ');
