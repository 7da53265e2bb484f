/** RFC 3339 has four digits for a year: what is beyond them cannot be written, and counts as unknown. */
const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** An instant of somebody else's, in milliseconds since 1970, as reports show it. */
export const toDateTime = (milliseconds: number): string | null =>
  milliseconds >= FIRST && milliseconds <= LAST ? new Date(milliseconds).toISOString() : null;
