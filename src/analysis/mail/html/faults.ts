import type { ContentFacts } from '../../mail-facts.ts';
import type { HtmlDocument } from './document.ts';

/** Share of start tags that are no HTML, above which the document counts as broken. */
const MAX_UNKNOWN_TAGS = 0.1;

const ids = (faults: readonly (string | false)[]) => faults.filter((id) => id !== false);

/** What is wrong with the document, and what could be better. */
export const htmlFaults = (html: HtmlDocument | null): ContentFacts['htmlFaults'] => {
  if (!html) return { fail: [], lint: [] };
  return {
    fail: ids([
      html.unclosed && 'unclosed',
      html.unknownTags > html.tags * MAX_UNKNOWN_TAGS && 'unknown_tags',
      !html.hasHtml && 'no_html',
      !html.hasBody && 'no_body',
    ]),
    lint: ids([
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

/** So small a picture is a logo or an icon and no text in disguise, in bytes as sent. */
const MAX_LOGO_BYTES = 32 * 1024;

/** Pictures by `cid:` (RFC 2392): those that no part of the mail is, and those of small parts. */
export const countContentIds = (
  html: HtmlDocument | null,
  nodes: readonly { readonly contentId: string; readonly start: number; readonly end: number }[],
): { readonly missing: number; readonly logos: number } => {
  const sizes = new Map(nodes.map(({ contentId, start, end }) => [contentId, end - start]));
  const wanted = html?.images.filter(({ src }) => /^\s*cid:/i.test(src)) ?? [];
  const found = wanted.map(({ src }) => sizes.get(unescaped(src.trim().slice('cid:'.length))));
  return {
    missing: found.filter((size) => size === undefined).length,
    logos: found.filter((size) => size !== undefined && size <= MAX_LOGO_BYTES).length,
  };
};
