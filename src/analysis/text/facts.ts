/** Facts about the text of an email: its text part, and the fraud rules that it matches. */
export interface TextFacts {
  readonly textAlternative: 'both' | 'text_only' | 'html_only' | 'none';
  /** State of the text part: `empty`, `boilerplate`, `too_short`, or `ok` if it agrees with the HTML. */
  readonly textState: 'ok' | 'empty' | 'boilerplate' | 'too_short';
  /**
   * Fraud rules that the text matches and that count on their own. `wording` lists those that count only
   * together with a sign of imitation.
   */
  readonly phrasePatterns: readonly string[];
  readonly wording: readonly string[];
}
