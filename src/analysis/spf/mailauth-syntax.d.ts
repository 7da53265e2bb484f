declare module 'mailauth/lib/spf/syntax.js' {
  /** Whether an expanded name can be looked up (RFC 7208 §4.3). */
  export function isValidTargetName(name: string): boolean;
  /** The first fault of these terms in words; `false`: they follow the grammar (RFC 7208 §12). */
  export function validateTerms(terms: readonly string[]): string | false;
}
