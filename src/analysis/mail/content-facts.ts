import type { ContentFacts, LinkFacts } from '../facts.ts';
import { type AttachmentReading, readAttachment, summarizeAttachments } from './attachments.ts';
import { readBodyLinks } from './body-links.ts';
import { sortParts } from './body-parts.ts';
import { detectMagic } from './file-magic.ts';
import type { HeaderBlock } from './header-block.ts';
import type { HtmlDocument } from './html-document.ts';
import { readHtmlParts } from './html-merge.ts';
import { MAX_HTML_BYTES } from './limits.ts';
import { readLinkFacts } from './link-facts.ts';
import { decodeBody, decodeTextPart } from './mime-decode.ts';
import { mimeReport, structureFaults } from './mime-report.ts';
import { type PlacedNode, readMimeTree } from './mime-tree.ts';
import { readPhrases } from './phrases.ts';
import { findPlaceholders } from './placeholders.ts';
import { judgeText } from './text-state.ts';
import { readWords, similarity } from './words.ts';

export interface ContentReading {
  readonly content: ContentFacts;
  readonly links: LinkFacts;
  /** Media type of the part with the longest line. */
  readonly longestIn: string;
}

/** Share of start tags that are no HTML, above which the document counts as broken. */
const MAX_UNKNOWN_TAGS = 0.1;

const htmlFaults = (html: HtmlDocument | null): ContentFacts['htmlFaults'] => {
  if (!html) return { fail: [], lint: [] };
  const present = (faults: readonly (string | false)[]) => faults.filter((id) => id !== false);
  return {
    fail: present([
      html.unclosed && 'unclosed',
      html.unknownTags > html.tags * MAX_UNKNOWN_TAGS && 'unknown_tags',
      !html.hasHtml && 'no_html',
      !html.hasBody && 'no_body',
    ]),
    lint: present([
      !html.hasLang && 'no_lang',
      !html.hasTitle && 'no_title',
      html.externalCss > 0 && 'external_stylesheet',
      html.lowContrast && 'low_contrast',
    ]),
  };
};

const ENCODED_MARKS = /%(?:7b|7d|7c|5b|5d|24|2a)/gi;

/** A link with the marks of template fields readable, which builders percent-encode. */
const readableHref = (href: string) =>
  href.replace(ENCODED_MARKS, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));

/** Distinct fields, since text and HTML repeat each other; their names stay here. */
const placeholdersIn = (texts: readonly string[]) => {
  const found = texts.flatMap(findPlaceholders);
  return {
    placeholders: new Set(found.map(({ syntax, name }) => `${syntax} ${name}`)).size,
    placeholder_syntaxes: [...new Set(found.map(({ syntax }) => syntax))],
  };
};

const missingContentIds = (html: HtmlDocument | null, nodes: readonly PlacedNode[]): number => {
  const known = new Set(nodes.map(({ contentId }) => contentId));
  const wanted = html?.images.filter(({ src }) => /^\s*cid:/i.test(src)) ?? [];
  return wanted.filter(({ src }) => !known.has(unescaped(src.trim().slice('cid:'.length)))).length;
};

const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Pictures by their first bytes too: what only calls itself one is an attachment. */
const isPicture = (bytes: Uint8Array) => (detectMagic(bytes)?.kind ?? 'image') === 'image';

/** Reads the body of a mail: parts, text, HTML, links, attachments. Never throws. */
export const readContent = (
  mail: Uint8Array,
  block: HeaderBlock,
  about: { readonly subject: string; readonly fromDomain: string | null },
): ContentReading => {
  const tree = readMimeTree(mail, block);
  const parts = sortParts(tree);
  const bodyFaults = new Set<string>();
  const charsetFaults = new Set<string>();
  const limits = new Set<string>();

  const octets = (node: PlacedNode) => {
    const { bytes, fault } = decodeBody(mail, node);
    if (fault) bodyFaults.add(fault === 'undecodable' ? 'undecodable_part' : fault);
    return bytes;
  };

  const textOf = (node: PlacedNode) => {
    const bytes = octets(node);
    const { text, fault } = decodeTextPart(bytes, node.charset);
    if (fault) charsetFaults.add(fault);
    return { text, size: bytes.length };
  };

  const attached: AttachmentReading[] = [];
  for (const node of [...parts.attachments, ...parts.inline]) {
    const bytes = octets(node);
    if (!parts.inline.includes(node) || !isPicture(bytes))
      attached.push(readAttachment(node, bytes, attached.length));
  }

  const texts = parts.text.map(textOf);
  const htmls = parts.html.map(textOf);
  const fullText = texts.map(({ text }) => text).join('\n');
  const text = fullText.slice(0, MAX_HTML_BYTES);
  const reading = readHtmlParts(htmls.map(({ text }) => text));
  const html = reading?.document ?? null;
  const textWords = readWords(text);
  const htmlWords = readWords(html?.text ?? '');
  const shared = similarity(textWords.words, htmlWords.words);
  const bodyLinks = readBodyLinks(html, text);
  const images = html?.images ?? [];
  const contentImages = images.filter(({ trackingPixel }) => !trackingPixel);
  const phrases = readPhrases(`${about.subject}\n${html?.text ?? text}`);
  const hrefs = bodyLinks.links.map(({ href }) => readableHref(href));
  const both = parts.text.length > 0 && html !== null;

  if (fullText.length > text.length) limits.add('text_truncated');
  if (reading?.truncated) limits.add('html_truncated');
  if (bodyLinks.truncated) limits.add('links_truncated');
  if (textWords.truncated || htmlWords.truncated) limits.add('words_truncated');
  if (textWords.words.length + htmlWords.words.length + images.length + attached.length === 0)
    bodyFaults.add('empty_body');

  const links = readLinkFacts(bodyLinks, about.fromDomain);
  const longest = tree.nodes.reduce((a, b) => (b.longestLine > a.longestLine ? b : a));
  return {
    links,
    longestIn: longest.type,
    content: {
      content: {
        has_text: parts.text.length > 0,
        has_html: html !== null,
        html_bytes: htmls.reduce((sum, { size }) => sum + size, 0),
        text_words: textWords.words.length,
        html_words: htmlWords.words.length,
        text_html_similarity: both ? shared : null,
        images: images.length,
        images_without_alt: contentImages.filter(({ hasAlt }) => !hasAlt).length,
        tracking_pixels: images.length - contentImages.length,
        data_uri_images: images.filter(({ src }) => /^\s*data:/i.test(src)).length,
        links: links.report.total,
        hidden_runs: html?.hiddenRuns ?? 0,
        forms: html?.forms ?? 0,
        scripts: html?.scripts ?? 0,
        external_css: html?.externalCss ?? 0,
        unsubscribe_link_found: bodyLinks.unsubscribeFound,
        ...placeholdersIn([about.subject, text, html?.text ?? '', ...hrefs]),
        phrase_ids: [...phrases.phraseIds],
      },
      mime: mimeReport(tree, [...bodyFaults, ...limits]),
      ...summarizeAttachments(attached),
      structureFaults: structureFaults(tree, block, [...bodyFaults]),
      charsetFaults: [...charsetFaults],
      textAlternative: textAlternative(parts.text.length > 0, html !== null),
      textState: both
        ? judgeText(text, textWords.words.length, htmlWords.words.length, shared)
        : 'ok',
      preheader: html?.preheader ?? false,
      htmlFaults: htmlFaults(html),
      phrasePatterns: phrases.patternIds,
      contentImages: contentImages.length,
      cidMissing: missingContentIds(html, tree.nodes),
      active: { hard: html?.activeHard ?? [], soft: html?.activeSoft ?? [] },
    },
  };
};

const textAlternative = (text: boolean, html: boolean): ContentFacts['textAlternative'] => {
  if (text) return html ? 'both' : 'text_only';
  return html ? 'html_only' : 'none';
};
