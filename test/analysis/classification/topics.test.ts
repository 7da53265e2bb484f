/** Tests the patterns of phrases by which the topic of a text is found. */

import { expect, test } from 'vitest';
import topics from '../../../src/analysis/classification/topics.json' with { type: 'json' };
import { countTopics } from '../../../src/analysis/classification/topics.ts';

/** Returns a pattern without its escapes, whose letters stand for classes: `\p{L}`, `\d`. */
const withoutEscapes = (pattern: string) => pattern.replace(/\\(?:p\{\w+\}|.)/g, '');

test.each(Object.entries(topics))(
  '%s: every pattern is as a text is read: composed, in lower case',
  (_, patterns) => {
    for (const pattern of patterns.map(withoutEscapes))
      expect(pattern).toBe(pattern.normalize('NFC').toLowerCase());
  },
);

test.each([
  ['offer', 'BLACK FRIDAY'],
  ['offer', 'СКИДКА 20 %'],
  ['account', 'ΚΩΔΙΚΌΣ: 482913'],
  ['account', 'Κωδικός 482913'],
  ['order', 'ΣΎΝΟΛΟ: 20'],
] as const)('%s: %s counts in capitals', (topic, text) => {
  expect(countTopics(text)[topic]).toBeGreaterThan(0);
});
