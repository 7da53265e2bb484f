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

/** Pictures by `cid:` (RFC 2392) that no part of the mail is. */
export const missingContentIds = (
  html: HtmlDocument | null,
  nodes: readonly { readonly contentId: string }[],
): number => {
  const known = new Set(nodes.map(({ contentId }) => contentId));
  const wanted = html?.images.filter(({ src }) => /^\s*cid:/i.test(src)) ?? [];
  return wanted.filter(({ src }) => !known.has(unescaped(src.trim().slice('cid:'.length)))).length;
};
