/** Removes characters that could control a terminal or mislead a reader. */

/** Control characters except line ends, characters that turn text around, and those that XML forbids. */
const CONTROL = /(?!\n)(?:\p{Cc}|\p{Bidi_Control}|[\u2028\u2029\ufeff\ufffe\uffff])/gu;

/**
 * Makes text of a report safe to print: DNS records come from the sender and could contain sequences that
 * move a terminal's cursor, turn text around or break a file. Line ends stay.
 */
export const plainText = (text: string): string =>
  text.toWellFormed().replaceAll('\t', ' ').replace(CONTROL, '\ufffd');

/** Does the same as `plainText`, on one line. */
export const plainLine = (text: string): string => plainText(text).replace(/\s*\n\s*/g, ' ');
