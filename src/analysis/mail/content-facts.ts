/** Collects all facts about the body of an email: its parts, text, HTML, links and attachments. */

import type { BodyShape } from '../classification/body-signs.ts';
import type { ContentFacts } from '../facts.ts';
import type { HtmlDocument } from '../html/document.ts';
import { countPictures, htmlFaults } from '../html/faults.ts';
import { readHtml } from '../html/read.ts';
import { isTemplate } from '../html/template.ts';
import { MAX_HTML_BYTES, MAX_HTML_TAGS, MAX_LINKS, MAX_LISTED } from '../limits.ts';
import type { LinkFacts } from '../links/facts.ts';
import { type BodyLinks, judgeHref } from '../links/href.ts';
import { readLinkFacts } from '../links/link-facts.ts';
import { summarizeAttachments } from '../mime/attachments.ts';
import { hasTextBesideHtml, mimeReport, structureFaults } from '../mime/report.ts';
import { readMimeTree } from '../mime/tree.ts';
import { fieldsBehind, type HeaderBlock } from '../syntax/header-block.ts';
import { REPLY_OR_FORWARD } from '../syntax/reply-prefixes.ts';
import { showsEntities } from '../text/html-code.ts';
import { readPhrases } from '../text/phrases.ts';
import { judgeText, MIN_SHARED, readWords, similarity } from '../text/words.ts';
import { readBodyContent, readBodyLinks } from './body-content.ts';
import { type Body, ownPartOf, shapeOf, shapeOfPart } from './body-shape.ts';
import { measureHidden } from './hidden-text.ts';
import { placeholdersIn } from './unfilled-fields.ts';

interface ContentReading {
  readonly content: ContentFacts;
  readonly links: LinkFacts;
  /** Media type of the part with the longest line. */
  readonly longestIn: string;
  /**
   * True if the text talks about the reader's mailbox as its administrator would. This flag never leaves the
   * code that reads the email.
   */
  readonly isOfMailbox: boolean;
  /** First path segments of the links. They never leave the code that reads the email. */
  readonly linkNames: readonly string[];
  /**
   * The text that the reader sees: that of the HTML, or the plain text if there is no HTML. It never leaves
   * the code that reads the email.
   */
  readonly shown: string;
  /** The part of `shown` that the author wrote, without the emails that it answers or forwards. */
  readonly own: string;
  /** Features of the author's own part of the body that help to classify the email. */
  readonly shape: BodyShape;
}

const htmlCounts = (html: HtmlDocument | null) => {
  const images = html?.images ?? [];
  const content = images.filter(({ trackingPixel }) => !trackingPixel);
  return {
    images: images.length,
    images_without_alt: content.filter(({ hasAlt }) => !hasAlt).length,
    tracking_pixels: images.length - content.length,
    data_uri_images: images.filter(({ src }) => /^\s*data:/i.test(src)).length,
    hidden_runs: html?.hiddenRuns ?? 0,
    forms: html?.forms ?? 0,
    scripts: html?.scripts ?? 0,
    external_css: html?.externalCss ?? 0,
  };
};

const pixelHosts = (html: HtmlDocument | null): string[] => {
  const targets = (html?.images ?? [])
    .filter(({ trackingPixel }) => trackingPixel)
    .map(({ src }) => judgeHref(src));
  const hosts = targets.flatMap((target) => (target.kind === 'web' ? [target.web.host] : []));
  return [...new Set(hosts)].slice(0, MAX_LISTED);
};

const joined = (one: HtmlDocument, other: HtmlDocument): HtmlDocument => {
  const shift = one.text.length + 1;
  const moved = other.anchors.map((anchor) => ({
    ...anchor,
    start: anchor.start + shift,
    end: anchor.end + shift,
  }));
  return {
    // Properties of the whole document are taken from the first HTML part.
    ...one,
    text: `${one.text}\n${other.text}`,
    preformatted: `${one.preformatted}\n${other.preformatted}`,
    anchors: [...one.anchors, ...moved].slice(0, MAX_LINKS),
    images: [...one.images, ...other.images].slice(0, MAX_LINKS),
    backgrounds: [...one.backgrounds, ...other.backgrounds].slice(0, MAX_LINKS),
    firstTable: one.firstTable ?? (other.firstTable === null ? null : shift + other.firstTable),
    quotation:
      one.quotation ??
      (other.quotation && {
        text: shift + other.quotation.text,
        images: one.images.length + other.quotation.images,
      }),
    linksTotal: one.linksTotal + other.linksTotal,
    hiddenRuns: one.hiddenRuns + other.hiddenRuns,
    hiddenTexts: [...one.hiddenTexts, ...other.hiddenTexts],
    forms: one.forms + other.forms,
    scripts: one.scripts + other.scripts,
    externalCss: one.externalCss + other.externalCss,
    activeHard: one.activeHard.union(other.activeHard),
    activeSoft: one.activeSoft.union(other.activeSoft),
    truncated: one.truncated || other.truncated,
  };
};

/** Reads all HTML parts as one document, within limits for all. Returns null if the email has none. */
const readHtmlParts = (parts: readonly string[]): HtmlDocument | null => {
  const left = { chars: MAX_HTML_BYTES, tags: MAX_HTML_TAGS };
  let document: HtmlDocument | null = null;
  for (const part of parts) {
    const next = readHtml(part, left);
    document = document ? joined(document, next) : next;
    left.chars -= Math.min(left.chars, part.length);
    left.tags -= next.tags + next.endTags;
  }
  return document;
};

/** Number of links whose paths are examined. */
const MAX_PATHS = 20;

const firstSegments = ({ links }: BodyLinks): readonly string[] => [
  ...new Set(
    links
      .slice(0, MAX_PATHS)
      .flatMap(
        ({ href }) => /^https?:\/\/[^/?#]+\/([a-z0-9-]{3,24})(?:[/?#]|$)/i.exec(href)?.[1] ?? [],
      )
      .map((segment) => segment.toLowerCase()),
  ),
];

const textAlternative = (text: boolean, html: boolean): ContentFacts['textAlternative'] => {
  if (text) return html ? 'both' : 'text_only';
  return html ? 'html_only' : 'none';
};

/** Reads the body of an email: its parts, text, HTML, links and attachments. Never throws. */
export const readContent = (
  mail: Uint8Array,
  block: HeaderBlock,
  { subject, fromDomain }: { readonly subject: string; readonly fromDomain: string | null },
): ContentReading => {
  const tree = readMimeTree(mail, block);
  const body = readBodyContent(mail, tree);
  const text = body.text.slice(0, MAX_HTML_BYTES);
  const html = readHtmlParts(body.htmls);
  const textWords = readWords(text);
  const htmlWords = readWords(html?.text ?? '');
  const shared = similarity(textWords.words, htmlWords.words);
  const bodyLinks = readBodyLinks(html, text);
  const links = readLinkFacts(bodyLinks, fromDomain);
  const phrases = readPhrases(`${subject}\n${html?.text ?? text}`);
  const counts = htmlCounts(html);
  const pictures = countPictures(html, tree.nodes, htmlWords.words.length);
  const both = body.hasText && html !== null;
  const whole: Body = { html, text };
  const own = ownPartOf(whole, REPLY_OR_FORWARD.test(subject));
  const words = textWords.words.length + htmlWords.words.length;

  const behind = fieldsBehind(mail, block);
  const bodyFaults = [...body.bodyFaults, ...(behind.length > 0 ? ['blank_line_in_header'] : [])];
  // A single URL does not count as a word, but it is text that can be read.
  const hasText = [text, html?.text ?? ''].some((one) => one.trim() !== '');
  // If the HTML was cut off, the missing part may have contained words.
  const seen = hasText || words + counts.images + body.attachments.length > 0 || body.hasOther;
  const empty = !seen && !html?.truncated;
  if (empty) bodyFaults.push('empty_body');
  if (both && shared >= MIN_SHARED && hasTextBesideHtml(tree.nodes))
    bodyFaults.push('text_beside_html');
  if (both && showsEntities(text, html.text)) bodyFaults.push('html_in_text');
  const limits = [
    body.text.length > text.length && 'text_truncated',
    html?.truncated && 'html_truncated',
    bodyLinks.truncated && 'links_truncated',
    (textWords.truncated || htmlWords.truncated) && 'words_truncated',
  ].filter((limit) => typeof limit === 'string');

  return {
    links,
    isOfMailbox: phrases.isOfMailbox,
    linkNames: firstSegments(bodyLinks),
    shown: html?.text ?? text,
    own: own.html?.text ?? own.text,
    shape:
      own === whole
        ? shapeOf(whole, bodyLinks, links, {
            logos: pictures.logos,
            words: Math.max(textWords.words.length, htmlWords.words.length),
            isTemplate: isTemplate(body.htmls, html),
          })
        : shapeOfPart(own, fromDomain, tree.nodes),
    longestIn: tree.nodes.reduce((a, b) => (b.longestLine > a.longestLine ? b : a)).type,
    content: {
      content: {
        has_text: body.hasText,
        has_html: html !== null,
        html_bytes: body.htmlBytes,
        text_words: textWords.words.length,
        html_words: htmlWords.words.length,
        text_html_similarity: both ? shared : null,
        ...counts,
        links: links.report.total,
        unsubscribe_link_found: bodyLinks.unsubscribeFound,
        ...placeholdersIn({ subject, text, html }, bodyLinks),
        phrase_ids: [...phrases.phraseIds],
      },
      mime: mimeReport(tree, [...bodyFaults, ...limits]),
      ...summarizeAttachments(body.attachments),
      structureFaults: structureFaults(mail, tree, block, bodyFaults),
      fieldsBehind: behind,
      charsetFaults: body.charsetFaults.slice(0, MAX_LISTED),
      textAlternative: textAlternative(body.hasText, html !== null),
      textState: both
        ? judgeText(text, textWords.words.length, htmlWords.words.length, shared)
        : 'ok',
      preheader: html?.preheader ?? false,
      hiddenPreheader: html?.hiddenPreheader ?? false,
      hiddenText: measureHidden(html ?? { hiddenTexts: [] }, htmlWords.words),
      htmlFaults: htmlFaults(html, { alone: !body.hasText }),
      phrasePatterns: phrases.patternIds,
      wording: phrases.wordingIds,
      contentImages: counts.images - counts.tracking_pixels,
      cidMissing: pictures.cidMissing,
      logoImages: pictures.logos,
      pixelHosts: pixelHosts(html),
      active: { hard: [...(html?.activeHard ?? [])], soft: [...(html?.activeSoft ?? [])] },
    },
  };
};
