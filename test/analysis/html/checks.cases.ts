/** Cases for each state of the checks on the HTML body. */

import type { ContentFacts, Facts } from '../../../src/analysis/facts.ts';
import { bulkMail, type Part } from '../../support/mail/facts.ts';
import type { Case } from '../case.ts';

const facts = (value: Part<ContentFacts>): Part<Facts> => ({ content: { value } });
const content = (part: Part<ContentFacts['content']>) => facts({ content: part });
const textOnly = facts({ textAlternative: 'text_only', content: { has_html: false } });
const hiddenFacts = (hiddenText: Part<ContentFacts['hiddenText']>) => facts({ hiddenText });
const KB = 1024;
const images = (contentImages: number, part: Part<ContentFacts['content']> = {}) =>
  facts({ contentImages, content: part });

export const htmlCases: readonly Case[] = [
  ['html_size', 'pass 0', content({ html_bytes: 80 * KB - 1 })],
  ['html_size', 'info 0 suggest', content({ html_bytes: 80 * KB })],
  ['html_size', 'info 0 suggest', content({ html_bytes: 102 * KB })],
  ['html_size', 'warn 4', content({ html_bytes: 102 * KB + 1 })],
  ['html_size', 'left out', textOnly],

  ['hidden_text', 'pass 0'],
  ['hidden_text', 'pass 0', facts({ preheader: true })],
  ['hidden_text', 'info 0', facts({ preheader: true, hiddenPreheader: true })],
  ['hidden_text', 'info 0', content({ hidden_runs: 2 })],
  [
    'hidden_text',
    'info 0',
    facts({ hiddenPreheader: true }),
    hiddenFacts({ characters: 200, previewCharacters: 200 }),
  ],
  ['hidden_text', 'warn 6', hiddenFacts({ characters: 201, previewCharacters: 201 })],
  ['hidden_text', 'info 0', content({ hidden_runs: 1 }), hiddenFacts({ characters: 80 })],
  ['hidden_text', 'warn 6', hiddenFacts({ characters: 81 })],
  [
    'hidden_text',
    'info 0',
    content({ hidden_runs: 1 }),
    hiddenFacts({ characters: 40, visibleCharacters: 50 }),
  ],
  ['hidden_text', 'warn 6', hiddenFacts({ characters: 41, visibleCharacters: 50 })],
  ['hidden_text', 'warn 6', hiddenFacts({ characters: 5000, words: 1000 })],
  ['hidden_text', 'fail 14', hiddenFacts({ characters: 5000, words: 1001 })],
  [
    'hidden_text',
    'fail 14',
    facts({ contentImages: 0 }),
    hiddenFacts({ characters: 30, visibleCharacters: 0 }),
  ],
  ['hidden_text', 'pass 0', hiddenFacts({ characters: 30, visibleCharacters: 0 })],
  ['hidden_text', 'left out', textOnly],

  ['html_quality', 'pass 0'],
  ['html_quality', 'info 0', facts({ htmlFaults: { lint: ['no_lang'] } })],
  ['html_quality', 'warn 3', facts({ htmlFaults: { fail: ['unclosed'] } })],

  ['preheader', 'pass 0', bulkMail],
  ['preheader', 'info 0 suggest', bulkMail, facts({ preheader: false })],
  ['preheader', 'left out', bulkMail, textOnly],
  ['preheader', 'left out'],

  ['image_only', 'pass 0', images(2, { html_words: 40 })],
  ['image_only', 'warn 6', images(2, { html_words: 39 })],
  ['image_only', 'warn 3', images(3, { html_words: 59 })],
  ['image_only', 'pass 0', images(3, { html_words: 60 })],
  ['image_only', 'left out', images(0, { html_words: 1 })],

  ['images_alt', 'pass 0', images(2)],
  ['images_alt', 'info 0 suggest', images(2, { images_without_alt: 1 })],
  ['images_alt', 'warn 2', images(3, { images_without_alt: 2 })],
  ['images_alt', 'left out', images(0)],

  ['images_embedded', 'pass 0'],
  ['images_embedded', 'warn 2', content({ data_uri_images: 1 })],
  ['images_embedded', 'warn 2', facts({ cidMissing: 1 })],

  ['tracking_pixel', 'pass 0'],
  ['tracking_pixel', 'info 0 suggest', content({ tracking_pixels: 1 })],

  ['active_content', 'pass 0'],
  ['active_content', 'warn 5', facts({ active: { soft: ['base'] } })],
  ['active_content', 'warn 5', facts({ active: { hard: ['form'] } })],
  ['active_content', 'info 0 suggest', facts({ active: { soft: ['@import'] } })],
  ['active_content', 'fail 15', facts({ active: { hard: ['script'] } })],
  ['active_content', 'left out', textOnly],
];
