/** All but the end of a line: controls, marks that turn text around, and what no XML may hold. */
const CONTROL = /(?!\n)(?:\p{Cc}|\p{Bidi_Control}|[\u2028\u2029\ufeff\ufffe\uffff])/gu;

/**
 * Text of a report as it may be printed: DNS records are the sender's, and could hold sequences that
 * move a terminal's cursor, turn text around or break a file. Line ends stay.
 */
export const plainText = (text: string): string =>
  text.toWellFormed().replaceAll('\t', ' ').replace(CONTROL, '\ufffd');

/** As `plainText`, in one line. */
export const plainLine = (text: string): string => plainText(text).replace(/\s*\n\s*/g, ' ');
