import type { Anchor, HtmlDocument } from '../html/document.ts';
import { MAX_LINKS } from '../limits.ts';
import type { BodyLink, BodyLinks } from '../links/body-link.ts';
import { urlsInText } from '../links/text-urls.ts';
import { leadsToUnsubscribe, speaksOfUnsubscribing } from '../unsubscribe/words.ts';

/** So far around a link people still read it as one sentence, in characters. */
const BEFORE = 120;
const AFTER = 40;

/** So far into a text addresses are looked at, in characters: each costs a look at what is before. */
const MAX_ADDRESS_TEXT = 200_000;

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

// At most 64 steps from each character on: linear.
const ADDRESS_IN_TEXT = /[\w.%+-]{1,64}@[a-z0-9.-]{1,253}/gi;

/** The text before a place that people still read as one sentence with it. */
const before = (text: string, index: number) => text.slice(Math.max(0, index - BEFORE), index);

/** An address to write to for the way out: clients make a link of it. */
const hasAddressOut = (text: string): boolean => {
  if (!text.includes('@')) return false;
  for (const { 0: address, index } of text.matchAll(ADDRESS_IN_TEXT))
    if (leadsToUnsubscribe(address) || speaksOfUnsubscribing(before(text, index))) return true;
  return false;
};

/** The links that a mail client makes of plain text. */
const textLinks = (text: string): { links: BodyLink[]; truncated: boolean } => {
  const links: BodyLink[] = [];
  for (const { href, index } of urlsInText(text)) {
    if (links.length === MAX_LINKS) return { links, truncated: true };
    const leaves = leadsToUnsubscribe(href) || speaksOfUnsubscribing(before(text, index));
    links.push({ href, text: null, role: leaves ? 'unsubscribe' : 'link' });
  }
  return { links, truncated: false };
};

/** Every link and picture of the mail, with what it is for. */
export const readBodyLinks = (html: HtmlDocument | null, text: string): BodyLinks => {
  const plain = textLinks(text);
  const links = html ? htmlLinks(html) : plain.links;
  return {
    links,
    truncated: html ? html.linksTruncated : plain.truncated,
    unsubscribeFound:
      [...links, ...plain.links].some(({ role }) => role === 'unsubscribe') ||
      hasAddressOut(text.slice(0, MAX_ADDRESS_TEXT)),
  };
};
