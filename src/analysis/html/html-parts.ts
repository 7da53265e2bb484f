import { MAX_HTML_BYTES, MAX_LINKS } from '../limits.ts';
import type { HtmlDocument } from './document.ts';
import { readHtml } from './walk.ts';

interface HtmlReading {
  readonly document: HtmlDocument;
  readonly truncated: boolean;
}

const joined = (one: HtmlDocument, other: HtmlDocument): HtmlDocument => {
  const shift = one.text.length + 1;
  const moved = other.anchors.map(({ href, start, end }) => ({
    href,
    start: start + shift,
    end: end + shift,
  }));
  return {
    // What is judged of the document as a whole is judged of the first.
    ...one,
    text: `${one.text}\n${other.text}`,
    anchors: [...one.anchors, ...moved].slice(0, MAX_LINKS),
    images: [...one.images, ...other.images].slice(0, MAX_LINKS),
    backgrounds: [...one.backgrounds, ...other.backgrounds].slice(0, MAX_LINKS),
    linksTotal: one.linksTotal + other.linksTotal,
    hiddenRuns: one.hiddenRuns + other.hiddenRuns,
    forms: one.forms + other.forms,
    scripts: one.scripts + other.scripts,
    externalCss: one.externalCss + other.externalCss,
    activeHard: one.activeHard.union(other.activeHard),
    activeSoft: one.activeSoft.union(other.activeSoft),
  };
};

/** Reads all HTML parts as one, 2 MiB of them; null: the mail has no HTML part. */
export const readHtmlParts = (parts: readonly string[]): HtmlReading | null => {
  let left = MAX_HTML_BYTES;
  let document: HtmlDocument | null = null;
  for (const part of parts) {
    const next = readHtml(part.slice(0, left));
    document = document ? joined(document, next) : next;
    left -= Math.min(left, part.length);
  }
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return document && { document, truncated: length > MAX_HTML_BYTES };
};
