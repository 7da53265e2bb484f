export interface TextFacts {
  readonly textAlternative: 'both' | 'text_only' | 'html_only' | 'none';
  /** The text part: `empty`, `boilerplate`, or in step with the HTML. */
  readonly textState: 'ok' | 'empty' | 'boilerplate' | 'too_short';
  /** Rules of fraud that the text fits: those that count alone, and beside a sign of imitation. */
  readonly phrasePatterns: readonly string[];
  readonly wording: readonly string[];
}
