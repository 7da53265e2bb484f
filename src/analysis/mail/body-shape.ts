/**
 * Finds the part of a body that the author wrote, without the emails that it quotes, and describes the features
 * of a body that help to classify the email.
 */

import type { BodyShape } from '../classification/body-signs.ts';
import { readLinkShape } from '../classification/link-shape.ts';
import { cutDocument, type HtmlDocument } from '../html/document.ts';
import { countPictures } from '../html/faults.ts';
import type { LinkFacts } from '../links/facts.ts';
import type { BodyLinks } from '../links/href.ts';
import { readLinkFacts } from '../links/link-facts.ts';
import { quotedFrom } from '../text/own-words.ts';
import { readWords } from '../text/words.ts';
import { readBodyLinks } from './body-content.ts';

/** A body as it is read for the classification of an email. */
export interface Body {
  readonly html: HtmlDocument | null;
  readonly text: string;
}

const QUOTE = /^[ \t]*>.*$/gm;

/**
 * Returns the part of a body that the author wrote, or the same object if that is all of it. Text quoted from
 * others says nothing about this email.
 */
export const ownPartOf = (body: Body, isReplyOrForward: boolean): Body => {
  const shown = body.html?.text ?? body.text;
  const marked = body.html?.quotation ?? null;
  const quoted = quotedFrom(shown.slice(0, marked?.text), isReplyOrForward);
  if (body.html) {
    if (quoted !== null)
      return { ...body, html: cutDocument(body.html, { text: quoted, images: 0 }) };
    return marked === null ? body : { ...body, html: cutDocument(body.html, marked) };
  }
  const text = (quoted === null ? shown : shown.slice(0, quoted)).replace(QUOTE, '');
  return text === shown ? body : { ...body, text };
};

/** Returns the features of a body that help to classify the email. */
export const shapeOf = (
  { html }: Body,
  bodyLinks: BodyLinks,
  links: LinkFacts,
  { logos, words, isTemplate }: Pick<BodyShape, 'logos' | 'words' | 'isTemplate'>,
): BodyShape => {
  const images = html?.images ?? [];
  const pixels = images.filter(({ trackingPixel }) => trackingPixel).length;
  return {
    unsubscribeFound: bodyLinks.unsubscribeFound,
    preheader: html?.preheader ?? false,
    images: images.length - pixels,
    logos,
    trackingPixels: pixels,
    hasHtml: html !== null,
    isTemplate,
    words,
    ...readLinkShape(bodyLinks.links, links),
  };
};

/** Like `shapeOf`, for the part of a body that is left without what it quotes. */
export const shapeOfPart = (
  part: Body,
  fromDomain: string | null,
  nodes: Parameters<typeof countPictures>[1],
): BodyShape => {
  const bodyLinks = readBodyLinks(part.html, part.html ? '' : part.text);
  const words = readWords(part.html?.text ?? part.text).words.length;
  const { logos } = countPictures(part.html, nodes, words);
  // The tables and styles of what it quotes cannot be told from its own.
  const shape = { logos, words, isTemplate: false };
  return shapeOf(part, bodyLinks, readLinkFacts(bodyLinks, fromDomain), shape);
};
