/** Cases of complete emails with images. */

import type { Case } from '../case.ts';
import { LINK, letter, newsletter, PICTURE, page, WORDS, withHtml } from '../mails.ts';

const PREVIEW = '<p class="preheader">What we like to read.</p>';
const LEAVE = '<p><a href="https://www.example.com/u/1">Unsubscribe</a></p>';

const picture = (alt: string) => `<img src="https://www.example.com/i/1.png"${alt}>`;

/** A newsletter with few words, the same in text and HTML. */
const short = (words: string, images: string) =>
  newsletter(
    {},
    {
      html: page([PREVIEW, `<p>${words}</p>`, images, LINK, LEAVE].join('\n')),
      text: `What we like to read.\n${words}\nLook at the books: https://www.example.com/books\nUnsubscribe: https://www.example.com/u/1`,
    },
  );

const some = (n: number, alt: string) => picture(alt).repeat(n);

/** A picture that the email contains. */
const attached = (base64: string) =>
  `Content-Type: image/png\r\nContent-ID: <logo@example.com>\r\nContent-Disposition: inline\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64}`;

const html = (about: string, more: string, states: Case['states']): Case => ({
  about,
  mail: withHtml(more),
  states,
});

export const imageCases: readonly Case[] = [
  {
    about: 'fewer than 40 words',
    mail: short('Five new books.', PICTURE),
    states: { image_only: 'almost_no_text' },
  },
  {
    about: 'fewer than 20 words for each image',
    mail: short(WORDS, some(7, ' alt="Book"')),
    states: { image_only: 'little_text' },
  },
  html('two images of three without alt', some(2, ''), { images_alt: 'mostly_missing' }),
  html('one image of two without alt', picture(''), { images_alt: 'partly_missing' }),
  html('a data: image', '<img alt="dot" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">', {
    images_embedded: 'unshown',
  }),
  html('a cid: that no part has', '<img alt="logo" src="cid:logo@example.com">', {
    images_embedded: 'unshown',
  }),
  {
    about: 'a letter of few words and many small pictures',
    mail: letter(
      {},
      {
        html: page(
          `<p>See you on Monday.</p>${'<img alt="part" src="https://www.example.com/i/1.png" width="90">'.repeat(13)}${LINK}`,
        ),
        text: `See you on Monday.\nLook at the books: https://www.example.com/books`,
      },
    ),
    // The pictures are pieces of a single one.
    states: { images_alt: 'complete', image_only: 'almost_no_text' },
  },
  {
    about: 'a letter of few words with a large picture',
    mail: letter(
      {},
      {
        html: page(`<p>See you on Monday.</p><img alt="poster" src="cid:logo@example.com">${LINK}`),
        text: `See you on Monday.\nLook at the books: https://www.example.com/books`,
        more: [attached(`iVBORw0KGgoAAAANSUhEUg\r\n${`${'A'.repeat(76)}\r\n`.repeat(500)}`)],
      },
    ),
    states: { images_alt: 'complete', image_only: 'almost_no_text' },
  },
  html('a pixel', '<img src="https://www.example.com/o.gif" width="1" height="1">', {
    tracking_pixel: 'present',
  }),
  html('a hidden remote image', '<img src="https://www.example.com/o.gif" style="display:none">', {
    tracking_pixel: 'present',
  }),
];
