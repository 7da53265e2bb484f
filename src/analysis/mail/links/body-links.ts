import type { Anchor, HtmlDocument } from '../html/document.ts';
import { MAX_LINKS } from '../limits.ts';
import { leadsToUnsubscribe, speaksOfUnsubscribing } from '../text/unsubscribe-words.ts';

/** A link or a picture of the mail. Target and text stay inside. */
export interface BodyLink {
  readonly href: string;
  /** What the reader sees; null for pictures and for links in plain text. */
  readonly text: string | null;
  readonly role: 'link' | 'image' | 'unsubscribe';
}

/** So far around a link people still read it as one sentence, in characters. */
const BEFORE = 120;
const AFTER = 40;

/** Text around a link; not beyond the links next to it, whose words are theirs. */
const surroundings = (text: string, anchors: readonly Anchor[], i: number): string => {
  const { start, end } = anchors[i] as Anchor;
  const from = Math.max(start - BEFORE, anchors[i - 1]?.end ?? 0);
  const to = Math.min(end + AFTER, anchors[i + 1]?.start ?? text.length);
  return text.slice(from, to);
};

const htmlLinks = ({ text, anchors, images, backgrounds }: HtmlDocument): BodyLink[] => [
  ...anchors.map(({ href, start, end }, i): BodyLink => {
    const leaves =
      leadsToUnsubscribe(href) || speaksOfUnsubscribing(surroundings(text, anchors, i));
    return { href, text: text.slice(start, end), role: leaves ? 'unsubscribe' : 'link' };
  }),
  ...[...images.map(({ src }) => src), ...backgrounds].map(
    (href): BodyLink => ({ href, text: null, role: 'image' }),
  ),
];

// One class after a fixed beginning: linear. Full-width brackets end a URL in Japanese text.
const URL_IN_TEXT = /(?:https?:\/\/|mailto:)[^\s<>"'()\u3000-\u303f\uff08\uff09]{1,2000}/gi;

/** The links that a mail client makes of plain text. */
const textLinks = (text: string): { links: BodyLink[]; truncated: boolean } => {
  const links: BodyLink[] = [];
  for (const { 0: href, index } of text.matchAll(URL_IN_TEXT)) {
    if (links.length === MAX_LINKS) return { links, truncated: true };
    const around = text.slice(Math.max(0, index - BEFORE), index);
    const leaves = leadsToUnsubscribe(href) || speaksOfUnsubscribing(around);
    links.push({ href, text: null, role: leaves ? 'unsubscribe' : 'link' });
  }
  return { links, truncated: false };
};

export interface BodyLinks {
  /** Of the HTML, or of the text where there is no HTML; 1,000 at most. */
  readonly links: readonly BodyLink[];
  readonly truncated: boolean;
  readonly unsubscribeFound: boolean;
}

/** Every link and picture of the mail, with what it is for. */
export const readBodyLinks = (html: HtmlDocument | null, text: string): BodyLinks => {
  const plain = textLinks(text);
  const links = html ? htmlLinks(html) : plain.links;
  return {
    links,
    truncated: html ? html.linksTruncated : plain.truncated,
    unsubscribeFound: [...links, ...plain.links].some(({ role }) => role === 'unsubscribe'),
  };
};
