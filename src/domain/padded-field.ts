/** Finds signatures and ARC fields that are mostly white space. */

/**
 * Maximum number of white-space characters in a row: the length of the longest line (RFC 5322 §2.1.1). The
 * verifier takes superlinear time in them.
 */
export const MAX_SPACE = 998;

/** Returns whether a field has more white space in a row than a signature may have. */
export const isPadded = (field: string): boolean =>
  field.length > MAX_SPACE &&
  (field.match(/[ \t\r\n]+/g) ?? []).some(({ length }) => length > MAX_SPACE);
