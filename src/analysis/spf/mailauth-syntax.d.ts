/** Types for the syntax check that is inside mailauth. */

declare module 'mailauth/lib/spf/syntax.js' {
  /** Returns whether an expanded name can be looked up (RFC 7208 §4.3). */
  export function isValidTargetName(name: string): boolean;
  /**
   * Returns the first fault of these terms in words, or `false` if they follow the grammar (RFC 7208 §12).
   */
  export function validateTerms(terms: readonly string[]): string | false;
}
