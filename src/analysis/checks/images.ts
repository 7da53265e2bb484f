import { defineCheck } from '../define-check.ts';
import { type Facts, known, type Looked } from '../facts.ts';
import { thenLooked } from '../looked.ts';
import type { ContentFacts } from '../mail-facts.ts';

/** Words below which a mail with images has no text of its own. */
const MIN_WORDS = 40;

/** Words that each image should bring along. */
const WORDS_PER_IMAGE = 20;

/** Content of HTML mail with images; tracking pixels are no images here. */
const withImages = ({ content }: Facts): Looked<ContentFacts> | undefined =>
  thenLooked<ContentFacts, ContentFacts>(content, (value) =>
    value.content.has_html && value.contentImages > 0 ? known(value) : undefined,
  );

const withHtml = ({ content }: Facts): Looked<ContentFacts> | undefined =>
  thenLooked<ContentFacts, ContentFacts>(content, (value) =>
    value.content.has_html ? known(value) : undefined,
  );

export const imageOnly = defineCheck({
  id: 'image_only',
  subject: withImages,
  ladder: [
    ['fail', ({ content }) => content.html_words < MIN_WORDS],
    ['warn', ({ content, contentImages }) => content.html_words < WORDS_PER_IMAGE * contentImages],
  ],
  detail: ({ content, contentImages }) =>
    `${content.html_words} words and ${contentImages} images; ${MIN_WORDS} words, and ${WORDS_PER_IMAGE} an image, are the least.`,
});

export const imagesAlt = defineCheck({
  id: 'images_alt',
  subject: withImages,
  ladder: [
    ['warn', ({ content, contentImages }) => content.images_without_alt * 2 > contentImages],
    ['info', ({ content }) => content.images_without_alt > 0],
  ],
  detail: ({ content, contentImages }) =>
    `${content.images_without_alt} of ${contentImages} images have no alt text.`,
  values: ({ content }) => ({ n: content.images_without_alt }),
});

export const imagesEmbedded = defineCheck({
  id: 'images_embedded',
  subject: withHtml,
  ladder: [['warn', ({ content, cidMissing }) => content.data_uri_images > 0 || cidMissing > 0]],
  detail: ({ content, cidMissing }) =>
    `${content.data_uri_images} data: images, ${cidMissing} cid: without a part.`,
});

export const trackingPixel = defineCheck({
  id: 'tracking_pixel',
  subject: withHtml,
  ladder: [['info', ({ content }) => content.tracking_pixels > 0]],
  detail: ({ content }) => `${content.tracking_pixels} found.`,
});

export const activeContent = defineCheck({
  id: 'active_content',
  subject: withHtml,
  ladder: [
    ['fail', ({ active }) => active.hard.length > 0],
    ['warn', ({ active }) => active.soft.length > 0],
  ],
  detail: ({ active }) => {
    const found = [...active.hard, ...active.soft];
    return found.length > 0 ? `Found: ${found.join(', ')}.` : 'None found.';
  },
  values: ({ active }) => ({ tag: active.hard[0] ?? active.soft[0] ?? '' }),
});

type AttachmentFault = ContentFacts['attachmentFaults'][number];

const worst = ({ attachmentFaults }: ContentFacts): AttachmentFault | undefined =>
  attachmentFaults.find(({ severity }) => severity === 'fail') ?? attachmentFaults[0];

export const attachmentTypes = defineCheck({
  id: 'attachment_types',
  subject: ({ content }) => content,
  ladder: [
    ['fail', (value) => worst(value)?.severity === 'fail'],
    ['warn', (value) => worst(value)?.severity === 'warn'],
    ['info', ({ attachments }) => attachments.length > 0],
  ],
  detail: ({ attachments, attachmentFaults }) => {
    const kinds = [...new Set(attachmentFaults.map(({ kind }) => kind.replaceAll('_', ' ')))];
    const found = kinds.length > 0 ? `: ${kinds.join(', ')}` : '';
    return `${attachments.length} attachment${attachments.length === 1 ? '' : 's'}${found}.`;
  },
  values: (value) => {
    const fault = worst(value);
    return fault ? { ext: fault.extension ?? fault.kind } : {};
  },
});
