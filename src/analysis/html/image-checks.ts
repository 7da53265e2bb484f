import { wordsStep } from '../advice/actions.ts';
import { defineCheck } from '../define-check.ts';
import type { Facts } from '../facts.ts';
import { formatCount, formatList } from '../format.ts';
import { keepIf, known, thenLookup } from '../lookup-result.ts';
import type { ContentFacts } from '../mail-facts.ts';
import { withHtml } from './checks.ts';

/** Words below which a mail with images has no text of its own. */
const MIN_WORDS = 40;

/** Words that each image should bring along. */
const WORDS_PER_IMAGE = 20;

/** Content of HTML mail with images; tracking pixels are no images here. */
const withImages = (facts: Facts) => {
  const html = withHtml(facts);
  return html && keepIf(html, ({ contentImages }) => contentImages > 0);
};

/** Images that could stand for text: a logo and icons do not. */
export const imageOnly = defineCheck({
  id: 'image_only',
  subject: (facts) =>
    thenLookup<ContentFacts, { words: number; images: number; besides: boolean }>(
      facts.content,
      ({ content, contentImages, logoImages }) => {
        const images = content.has_html ? contentImages - logoImages : 0;
        const besides = logoImages > 0;
        return images > 0 ? known({ words: content.html_words, images, besides }) : undefined;
      },
    ),
  ladder: [
    ['warn', ({ words: n }) => n < MIN_WORDS],
    ['warn', ({ words: n, images }) => n < WORDS_PER_IMAGE * images],
  ],
  detail: ({ words: n, images, besides }) =>
    `${formatCount(n, 'word')} and ${formatCount(images, 'image')}${besides ? ' besides small ones' : ''}; ${MIN_WORDS} words, and ${WORDS_PER_IMAGE} an image, are needed at least.`,
});

export const imagesAlt = defineCheck({
  id: 'images_alt',
  subject: withImages,
  ladder: [
    ['warn', ({ content, contentImages }) => content.images_without_alt * 2 > contentImages],
    ['info', ({ content }) => content.images_without_alt > 0],
  ],
  detail: ({ content, contentImages }) =>
    `Without alt text: ${content.images_without_alt} of ${formatCount(contentImages, 'image')}.`,
  steps: ({ content }) => [
    wordsStep(
      'content',
      `Add alt text to ${formatCount(content.images_without_alt, 'image')}, and an empty one to decoration.`,
      'sender',
      'alt',
    ),
  ],
});

export const imagesEmbedded = defineCheck({
  id: 'images_embedded',
  subject: withHtml,
  ladder: [['warn', ({ content, cidMissing }) => content.data_uri_images > 0 || cidMissing > 0]],
  detail: ({ content, cidMissing }) =>
    `${formatCount(content.data_uri_images, 'data: image')}, ${cidMissing} cid: without a part.`,
  fixes: ({ content, cidMissing }) => [
    ...(content.data_uri_images > 0 ? ['data'] : []),
    ...(cidMissing > 0 ? ['cid'] : []),
  ],
  values: ({ content, cidMissing }) => ({
    data_images: formatCount(content.data_uri_images, 'data: image'),
    cid_images: formatCount(cidMissing, 'cid: image'),
  }),
});

export const trackingPixel = defineCheck({
  id: 'tracking_pixel',
  subject: withHtml,
  ladder: [['info', ({ content }) => content.tracking_pixels > 0]],
  detail: ({ content, pixelHosts }) =>
    `${content.tracking_pixels} found${pixelHosts.length > 0 ? `, loaded from ${pixelHosts.join(', ')}` : ''}.`,
  values: ({ pixelHosts }) => ({ hosts: formatList(pixelHosts) || 'elsewhere' }),
});
