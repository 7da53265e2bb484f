/** Finds faults in the HTML of an email, and counts its logos and its missing `cid:` images. */

import type { HtmlDocument } from './document.ts';
import type { HtmlFacts } from './facts.ts';

/** The document counts as broken if more than this share of its start tags is not HTML. */
export const MAX_UNKNOWN_TAGS = 0.1;

const ids = (faults: readonly (string | false)[]): string[] => faults.filter((id) => id !== false);

/**
 * Returns the faults of a document, and possible improvements. A missing `<html>` or `<body>` is a fault only
 * if HTML is the only part, because filters then object to it. Webmail sends fragments without these tags
 * beside a text part, and clients remove the tags anyway.
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

/** Largest size of a logo or an icon, in bytes as sent. A larger image may be text in disguise. */
const MAX_LOGO_BYTES = 32 * 1024;

/**
 * Maximum number of images that count as logos and icons. If there are more small images, they are one large
 * image in pieces.
 */
const MAX_LOGOS = 12;

/**
 * Minimum number of words in an email whose first image counts as a logo because it looks like one. With
 * fewer words, the image may be the message itself.
 */
const MIN_WORDS_BELOW = 20;

/**
 * Counts two kinds of images: those that refer by `cid:` (RFC 2392) to a missing part, and those that are too
 * small to contain the text of an email, judged by their declared size or by the size of their part.
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
