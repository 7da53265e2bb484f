/** Facts about the HTML body of a perfect email and of a perfect bulk email, for tests. */

import type { HtmlFacts } from '../../../src/analysis/html/facts.ts';

export const html: HtmlFacts = {
  preheader: false,
  hiddenPreheader: false,
  hiddenText: { characters: 0, words: 0, previewCharacters: 0, visibleCharacters: 400 },
  htmlFaults: { fail: [], lint: [] },
  contentImages: 1,
  cidMissing: 0,
  logoImages: 0,
  pixelHosts: [],
  active: { hard: [], soft: [] },
};

export const bulkHtml = { preheader: true };
