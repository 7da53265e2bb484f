import type { HtmlFacts } from '../../../src/analysis/html/facts.ts';

export const html: HtmlFacts = {
  preheader: false,
  hiddenPreheader: false,
  htmlFaults: { fail: [], lint: [] },
  contentImages: 1,
  cidMissing: 0,
  logoImages: 0,
  pixelHosts: [],
  active: { hard: [], soft: [] },
};

export const bulkHtml = { preheader: true };
