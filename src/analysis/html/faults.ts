/** Faults of an HTML document, and the number of its images. */

import type { HtmlDocument } from './document.ts';
import type { HtmlFacts } from './facts.ts';

/** Share of start tags that are not HTML above which the document counts as broken. */
export const MAX_UNKNOWN_TAGS = 0.1;

const ids = (faults: readonly (string | false)[]): string[] => faults.filter((id) => id !== false);

/**
 * Returns faults of the document, and possible improvements. Webmail sends HTML fragments beside a text part,
 * and clients remove `<html>` and `<body>` anyway, but filters object to fragments if HTML is the only part.
 */
export const htmlFaults = (
  html: HtmlDocument | null,
  { alone }: { readonly alone: boolean },
): HtmlFacts['htmlFaults'] => {
  if (!html) return { fail: [], lint: [] };
  const fragment = ids([!html.hasHtml && 'no_html', !html.hasBody && 'no_body']);
  return {
    fail: ids([
      html.unclosed && 'unclosed',
      html.unknownTags > html.tags * MAX_UNKNOWN_TAGS && 'unknown_tags',
      ...(alone ? fragment : []),
    ]),
    lint: ids([
      ...(alone ? [] : fragment),
      !html.hasLang && 'no_lang',
      !html.hasTitle && 'no_title',
      html.externalCss > 0 && 'external_stylesheet',
      html.lowContrast && 'low_contrast',
    ]),
  };
};

const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** An image of at most this size is a logo or an icon and not text in disguise, in bytes as sent. */
const MAX_LOGO_BYTES = 32 * 1024;

/**
 * An email may have a logo and a row of icons. If there are more small images, they are one large image in
 * pieces.
 */
const MAX_LOGOS = 12;

/**
 * With this many words below it, a first image that looks like a logo is one, and not the message itself.
 */
const MIN_WORDS_BELOW = 20;

/**
 * Counts two kinds of images: those that refer by `cid:` (RFC 2392) to a part that the email does not have,
 * and those that are too small to contain the text of an email, by their declared size or that of their part.
 */
export const countPictures = (
  html: HtmlDocument | null,
  nodes: readonly { readonly contentId: string; readonly start: number; readonly end: number }[],
  words: number,
): { readonly cidMissing: number; readonly logos: number } => {
  const sizes = new Map(nodes.map(({ contentId, start, end }) => [contentId, end - start]));
  const found = (html?.images ?? [])
    .filter(({ trackingPixel }) => !trackingPixel)
    .map(({ src, small, maybeLogo }, at) => {
      const cid = /^\s*cid:/i.test(src) ? unescaped(src.trim().slice('cid:'.length)) : null;
      const bytes = cid === null ? undefined : sizes.get(cid);
      return {
        missing: cid !== null && bytes === undefined,
        logo:
          small ||
          (bytes === undefined
            ? at === 0 && maybeLogo && words >= MIN_WORDS_BELOW
            : bytes <= MAX_LOGO_BYTES),
      };
    });
  return {
    cidMissing: found.filter(({ missing }) => missing).length,
    logos: Math.min(found.filter(({ logo }) => logo).length, MAX_LOGOS),
  };
};
