import { type Facts, unknown } from '../../../src/analysis/facts.ts';
import type { ContentFacts } from '../../../src/analysis/mail-facts.ts';
import { bulkMail, type Part } from '../../support/mail/facts.ts';
import type { Case } from '../case.ts';

const facts = (value: Part<ContentFacts>): Part<Facts> => ({ content: { value } });
const content = (part: Part<ContentFacts['content']>) => facts({ content: part });
const lost = { content: unknown('worker: no content part') };
const textOnly = facts({ textAlternative: 'text_only', content: { has_html: false } });
const KB = 1024;
const MB = 1024 * KB;
const attachment: ContentFacts['attachments'][number] = {
  index: 0,
  declared_type: 'application/pdf',
  detected_type: 'application/pdf',
  extension: 'pdf',
  size_bytes: 1000,
  encrypted: false,
  macros: false,
};
const attached = (severity: 'fail' | 'warn') =>
  facts({
    attachments: [attachment],
    attachmentFaults: [{ severity, extension: 'exe', kind: 'executable' }],
  });
const images = (contentImages: number, part: Part<ContentFacts['content']> = {}) =>
  facts({ contentImages, content: part });

export const contentCases: readonly Case[] = [
  ['text_alternative', 'pass 0'],
  ['text_alternative', 'pass 0', textOnly],
  ['text_alternative', 'warn 5', facts({ textAlternative: 'html_only' })],
  ['text_alternative', 'left out', facts({ textAlternative: 'none' })],
  ['text_alternative', 'unknown', lost],

  ['text_html_mismatch', 'pass 0'],
  ['text_html_mismatch', 'warn 3', facts({ textState: 'empty' })],
  ['text_html_mismatch', 'warn 3', facts({ textState: 'boilerplate' })],
  ['text_html_mismatch', 'warn 3', facts({ textState: 'too_short' })],
  ['text_html_mismatch', 'left out', textOnly],

  ['html_size', 'pass 0', content({ html_bytes: 80 * KB - 1 })],
  ['html_size', 'info 0 suggest', content({ html_bytes: 80 * KB })],
  ['html_size', 'info 0 suggest', content({ html_bytes: 102 * KB })],
  ['html_size', 'warn 4', content({ html_bytes: 102 * KB + 1 })],
  ['html_size', 'left out', textOnly],

  ['message_size', 'pass 0', { sizeBytes: MB }],
  ['message_size', 'info 0 suggest', { sizeBytes: MB + 1 }],
  ['message_size', 'info 0 suggest', { sizeBytes: 10 * MB }],
  ['message_size', 'warn 4', { sizeBytes: 10 * MB + 1 }],

  ['hidden_text', 'pass 0'],
  ['hidden_text', 'pass 0', facts({ preheader: true })],
  ['hidden_text', 'info 0', facts({ preheader: true, hiddenPreheader: true })],
  ['hidden_text', 'info 0', content({ hidden_runs: 2 })],
  ['hidden_text', 'warn 6', content({ hidden_runs: 3 })],
  ['hidden_text', 'left out', textOnly],

  ['html_quality', 'pass 0'],
  ['html_quality', 'info 0 suggest', facts({ htmlFaults: { lint: ['no_lang'] } })],
  ['html_quality', 'warn 3', facts({ htmlFaults: { fail: ['unclosed'] } })],

  ['spam_phrases', 'pass 0'],
  ['spam_phrases', 'info 0 suggest', content({ phrase_ids: ['act_now'] })],
  ['spam_phrases', 'info 0 suggest', content({ phrase_ids: ['a', 'b'] })],
  ['spam_phrases', 'warn 4', content({ phrase_ids: ['a', 'b', 'c'] })],
  ['spam_phrases', 'warn 4', facts({ phrasePatterns: ['lottery'] })],

  ['template_placeholders', 'pass 0'],
  [
    'template_placeholders',
    'warn 5',
    content({ placeholders: 1, placeholder_syntaxes: ['{{ }}'] }),
  ],

  ['preheader', 'pass 0', bulkMail],
  ['preheader', 'info 0 suggest', bulkMail, facts({ preheader: false })],
  ['preheader', 'left out', bulkMail, textOnly],
  ['preheader', 'left out'],

  ['image_only', 'pass 0', images(2, { html_words: 40 })],
  ['image_only', 'fail 6', images(2, { html_words: 39 })],
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
  ['active_content', 'warn 2', facts({ active: { soft: ['base'] } })],
  ['active_content', 'fail 15', facts({ active: { hard: ['script'] } })],
  ['active_content', 'left out', textOnly],

  ['attachment_types', 'pass 0'],
  ['attachment_types', 'info 0', facts({ attachments: [attachment] })],
  ['attachment_types', 'warn 8', attached('warn')],
  ['attachment_types', 'fail 40', attached('fail')],
];
