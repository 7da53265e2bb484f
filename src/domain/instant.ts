/**
 * Formats a time that another party stated, such as a sender, as RFC 3339, or returns null if that is
 * impossible.
 */

/**
 * The earliest and latest time that RFC 3339 can write, because it uses four digits for a year. Times outside
 * that range count as unknown.
 */
const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * Formats a time in milliseconds since 1970, as another party stated it, in the form that reports use.
 * Returns null if RFC 3339 cannot express it.
 */
export const toDateTime = (milliseconds: number): string | null =>
  milliseconds >= FIRST && milliseconds <= LAST ? new Date(milliseconds).toISOString() : null;
