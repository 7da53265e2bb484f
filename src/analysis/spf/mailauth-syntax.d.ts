/** Declares types for the internal SPF syntax check of mailauth. */

declare module 'mailauth/lib/spf/syntax.js' {
  /** Returns whether a name can be looked up after macro expansion (RFC 7208 §4.3). */
  export function isValidTargetName(name: string): boolean;
  /**
   * Returns the first fault of these terms in words, or `false` if all terms follow the grammar (RFC 7208
   * §12).
   */
  export function validateTerms(terms: readonly string[]): string | false;
}
