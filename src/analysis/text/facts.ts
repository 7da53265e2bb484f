/** Facts about the text of an email. */
export interface TextFacts {
  readonly textAlternative: 'both' | 'text_only' | 'html_only' | 'none';
  /** State of the text part: `empty`, `boilerplate`, `too_short`, or consistent with the HTML. */
  readonly textState: 'ok' | 'empty' | 'boilerplate' | 'too_short';
  /**
   * Fraud rules that the text matches: those that count alone, and those that count only together with a sign
   * of imitation.
   */
  readonly phrasePatterns: readonly string[];
  readonly wording: readonly string[];
}
