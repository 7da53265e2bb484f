/** Facts about the words of a perfect email, for tests. */

import type { TextFacts } from '../../../src/analysis/text/facts.ts';

export const text: TextFacts = {
  textAlternative: 'both',
  textState: 'ok',
  phrasePatterns: [],
  wording: [],
};
