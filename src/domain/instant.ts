/** Formats times that someone else stated. */

/**
 * RFC 3339 uses four digits for a year. Times outside that range cannot be written, and count as unknown.
 */
const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Formats a time that someone else stated, in milliseconds since 1970, as reports show it. */
export const toDateTime = (milliseconds: number): string | null =>
  milliseconds >= FIRST && milliseconds <= LAST ? new Date(milliseconds).toISOString() : null;
