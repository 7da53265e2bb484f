/** The checks of images in HTML: the text beside them, alt text, embedding and tracking pixels. */

import { wordsStep } from '../advice/actions.ts';
import { check } from '../check.ts';
import { whichHold } from '../definition.ts';
import type { ContentFacts, Facts } from '../facts.ts';
import { formatCount, formatList } from '../format.ts';
import { keepIf, known, thenLookup } from '../lookup-result.ts';
import { withHtml } from './document-checks.ts';

/** An email with images and fewer words than this has hardly any text of its own. */
const MIN_WORDS = 40;

/** Minimum number of words that should accompany each image. */
const WORDS_PER_IMAGE = 20;

/** Returns the content facts of an HTML email that has images. Tracking pixels do not count as images. */
const withImages = (facts: Facts) => {
  const html = withHtml(facts);
  return html && keepIf(html, ({ contentImages }) => contentImages > 0);
};

/** Judges whether images replace the text of an email. A logo and icons do not count. */
export const imageOnly = check({
  id: 'image_only',
  family: 'images',
  title: 'Balance of text and images',
  source: 'SpamAssassin HTML_IMAGE_ONLY_*; rspamd HTML_SHORT_LINK_IMG',
  about: {
    what: 'Some emails consist of images with hardly any text.',
    why: 'Filters cannot read images and distrust them. Readers who have images turned off see nothing.',
    how: ['Write your message as text, and use images only to illustrate it.'],
    bad: '<img src="offer.jpg">',
    good: '<p>Our winter sale begins on Monday.</p> <img src="offer.jpg" alt="Red coat">',
  },
  subject: (facts) =>
    thenLookup<ContentFacts, { words: number; images: number; besides: boolean }>(
      facts.content,
      ({ content, contentImages, logoImages }) => {
        const images = content.has_html ? contentImages - logoImages : 0;
        const besides = logoImages > 0;
        return images > 0 ? known({ words: content.html_words, images, besides }) : undefined;
      },
    ),
  states: ({ warn, pass }) => ({
    almost_no_text: warn(6).when(
      `images and < ${MIN_WORDS} words of text (not counting small images such as a logo or icons)`,
      ({ words: n }) => n < MIN_WORDS,
    ),
    little_text: warn(3).when(
      `< ${WORDS_PER_IMAGE} words per image`,
      ({ words: n, images }) => n < WORDS_PER_IMAGE * images,
    ),
    balanced: pass('balanced'),
  }),
  detail: ({ words: n, images, besides }) =>
    `${formatCount(n, 'word')} and ${formatCount(images, 'image')}${besides ? ', not counting small ones' : ''}; the minimum is ${MIN_WORDS} words, and ${WORDS_PER_IMAGE} per image.`,
  evidence: ({ words: n, images, besides }) => ({
    words: n,
    images,
    small_images: besides,
    required_words: MIN_WORDS,
    required_words_per_image: WORDS_PER_IMAGE,
  }),
  fix: {
    why: 'Filters, and readers who have images turned off, see almost nothing of this email.',
    do: 'Write the main text as HTML text, not as an image.',
  },
});

/** Largest acceptable share of content images without alt text. */
const MAX_WITHOUT_ALT = 0.5;

export const imagesAlt = check({
  id: 'images_alt',
  family: 'images',
  title: 'Image alt text',
  source: 'WCAG 1.1.1',
  about: {
    what: 'Alt text describes an image for readers who cannot see it.',
    why: 'Many mail programs do not load images at first, and screen readers read the alt text aloud.',
    how: ['Add alt text to every image. For purely decorative images, write alt="".'],
    bad: '<img src="logo.png">',
    good: '<img src="logo.png" alt="Example Shop">',
  },
  subject: withImages,
  states: ({ warn, suggest, pass }) => ({
    mostly_missing: warn(2).when(
      `> ${100 * MAX_WITHOUT_ALT}% of content images without alt`,
      ({ content, contentImages }) => content.images_without_alt > contentImages * MAX_WITHOUT_ALT,
    ),
    partly_missing: suggest.when(
      'some content images without alt',
      ({ content }) => content.images_without_alt > 0,
    ),
    complete: pass('all content images have it (tracking pixels excluded)'),
  }),
  detail: ({ content, contentImages }) =>
    `Without alt text: ${content.images_without_alt} of ${formatCount(contentImages, 'image')}.`,
  evidence: ({ content, contentImages }) => ({
    without_alt: content.images_without_alt,
    images: contentImages,
  }),
  fix: {
    why: 'Readers who have images turned off see empty boxes.',
    do: 'Add alt text to {images}. If an image is purely decorative, leave its alt text empty: alt="".',
  },
  steps: ({ content }) => [
    wordsStep(
      'content',
      `Add alt text to ${formatCount(content.images_without_alt, 'image')}. If an image is purely decorative, leave its alt text empty: alt="".`,
      'sender',
      'alt',
    ),
  ],
});

export const imagesEmbedded = check({
  id: 'images_embedded',
  family: 'images',
  title: 'Embedded images',
  source: 'caniemail: image-base64',
  about: {
    what: 'Images can be embedded in the HTML itself as data: URIs, or attached and referred to with cid:.',
    why: 'Gmail and Outlook do not show data: images, and no program shows an attached image that is missing.',
    how: ['Put the image on an https server, or attach it and refer to it with cid:.'],
    bad: '<img src="data:image/png;base64,iVBORw0…">',
    good: '<img src="https://example.com/logo.png" alt="Example Shop">',
  },
  subject: withHtml,
  states: ({ warn, pass }) => ({
    unshown: warn(2).when(
      'data: images (Gmail drops them), or a cid: that matches no part',
      ({ content, cidMissing }) => content.data_uri_images > 0 || cidMissing > 0,
    ),
    shown: pass('ok'),
  }),
  detail: ({ content, cidMissing }) =>
    `${formatCount(content.data_uri_images, 'data: image')}, ${formatCount(cidMissing, 'cid: reference')} without a matching part.`,
  evidence: ({ content, cidMissing }) => ({
    data_images: content.data_uri_images,
    cid_missing: cidMissing,
  }),
  fix: {
    why: 'Many mail programs do not show images that are embedded in the HTML.',
    do: 'Put the image on an https server, or attach it and refer to it with cid:.',
  },
  fixes: {
    data: {
      why: 'Gmail and Outlook do not show data: images.',
      do: 'Put {data_images} on an https server, or attach the image and refer to it with cid:.',
    },
    cid: {
      why: 'The HTML refers to attached images that are missing.',
      do: 'Attach {cid_images} with a matching Content-ID.',
    },
  },
  cases: ({ content, cidMissing }) =>
    whichHold({ data: content.data_uri_images > 0, cid: cidMissing > 0 }),
  values: ({ content, cidMissing }) => ({
    data_images: formatCount(content.data_uri_images, 'data: image'),
    cid_images: formatCount(cidMissing, 'cid: image'),
  }),
});

export const trackingPixel = check({
  id: 'tracking_pixel',
  family: 'images',
  title: 'Tracking pixel',
  source: 'privacy practice',
  about: {
    what: 'A tracking pixel is an invisible image that reports when the email is opened.',
    why: "It is common and costs no points here. Some mail programs block it, and in the EU you need the reader's consent.",
    how: ['Turn off open tracking in your sending platform if you do not need it.'],
    bad: '<img src="https://track.example/o/8f3k2" width="1" height="1">',
    good: '(no such image)',
  },
  subject: withHtml,
  states: ({ suggest, pass }) => ({
    present: suggest.when(
      '1x1 / hidden remote image',
      ({ content }) => content.tracking_pixels > 0,
    ),
    absent: pass('none'),
  }),
  detail: ({ content, pixelHosts }) =>
    `${content.tracking_pixels || 'None'} found${pixelHosts.length > 0 ? `, loaded from ${pixelHosts.join(', ')}` : ''}.`,
  evidence: ({ content, pixelHosts }) => ({ pixels: content.tracking_pixels, hosts: pixelHosts }),
  fix: {
    why: 'Some readers mind being tracked, and some mail programs block tracking.',
    do: 'Remove the pixel loaded from {hosts} if you do not need it.',
  },
  values: ({ pixelHosts }) => ({ hosts: formatList(pixelHosts) || 'elsewhere' }),
});
