/**
 * Decodes the body of an email, judges its attachments, collects its links with their purposes, and finds out
 * whether it offers a way to unsubscribe.
 */

import type { Anchor, HtmlDocument } from '../html/document.ts';
import { MAX_LINKS, MAX_MESSAGE_DEPTH } from '../limits.ts';
import { type BodyLink, type BodyLinks, urlsInText } from '../links/href.ts';
import { type AttachmentReading, readAttachment } from '../mime/attachments.ts';
import { decodeTextPart } from '../mime/charset-faults.ts';
import { decodeBody, sortParts } from '../mime/decode.ts';
import type { CharsetFault } from '../mime/facts.ts';
import { detectMagic } from '../mime/file-types.ts';
import { type MimeTree, type PlacedNode, readMimeTree } from '../mime/tree.ts';
import { parseHeaderBlock } from '../syntax/header-block.ts';
import { htmlCodeIn } from '../text/html-code.ts';
import { leadsToUnsubscribe, speaksOfUnsubscribing } from '../unsubscribe/list-unsubscribe.ts';

/**
 * Number of characters before a link that count as part of the same sentence. `AFTER` is the number of those
 * after it.
 */
const BEFORE = 120;
const AFTER = 40;

/**
 * Number of characters of a text that are searched for email addresses. The search also examines the text
 * before each address.
 */
const MAX_ADDRESS_TEXT = 200_000;

/** Returns the text around a link, up to the adjacent links, which have text of their own. */
const surroundings = (text: string, anchors: readonly Anchor[], i: number): string => {
  const { start, end } = anchors[i] as Anchor;
  const from = Math.max(start - BEFORE, anchors[i - 1]?.end ?? 0);
  const to = Math.min(end + AFTER, anchors[i + 1]?.start ?? text.length);
  return text.slice(from, to);
};

const htmlLinks = ({ text, anchors, images, backgrounds }: HtmlDocument): BodyLink[] => [
  ...anchors.map(({ href, start, end, alt }, i): BodyLink => {
    const leaves =
      leadsToUnsubscribe(href) || speaksOfUnsubscribing(`${surroundings(text, anchors, i)}${alt}`);
    return { href, text: text.slice(start, end), role: leaves ? 'unsubscribe' : 'link' };
  }),
  ...[...images.map(({ src }) => src), ...backgrounds].map(
    (href): BodyLink => ({ href, text: null, role: 'image' }),
  ),
];

// Takes linear time, because at most 64 steps begin at each character.
const ADDRESS_IN_TEXT = /[\w.%+-]{1,64}@[a-z0-9.-]{1,253}/gi;

/** Returns the text before a position that counts as part of the same sentence. */
const before = (text: string, index: number) => text.slice(Math.max(0, index - BEFORE), index);

/**
 * Returns whether the text contains an email address for unsubscribing. Mail clients turn such an address
 * into a link.
 */
const hasAddressOut = (text: string): boolean => {
  if (!text.includes('@')) return false;
  for (const { 0: address, index } of text.matchAll(ADDRESS_IN_TEXT))
    if (leadsToUnsubscribe(address) || speaksOfUnsubscribing(before(text, index))) return true;
  return false;
};

/** Returns the links that a mail client creates from plain text. */
const textLinks = (text: string): { links: BodyLink[]; truncated: boolean } => {
  const links: BodyLink[] = [];
  for (const { href, index } of urlsInText(text)) {
    if (links.length === MAX_LINKS) return { links, truncated: true };
    const leaves = leadsToUnsubscribe(href) || speaksOfUnsubscribing(before(text, index));
    links.push({ href, text: null, role: leaves ? 'unsubscribe' : 'link' });
  }
  return { links, truncated: false };
};

/**
 * Returns the links and images of an email with their purposes, and whether there is a way to unsubscribe.
 */
export const readBodyLinks = (html: HtmlDocument | null, text: string): BodyLinks => {
  const plain = textLinks(text);
  const links = html ? htmlLinks(html) : plain.links;
  return {
    links,
    truncated: html ? html.linksTotal > MAX_LINKS : plain.truncated,
    unsubscribeFound:
      [...links, ...plain.links].some(({ role }) => role === 'unsubscribe') ||
      hasAddressOut(text.slice(0, MAX_ADDRESS_TEXT)),
  };
};

/** The decoded parts of an email. Their texts never leave the code that reads the email. */
interface BodyContent {
  readonly hasText: boolean;
  /** The text of all text parts, joined. */
  readonly text: string;
  readonly htmls: readonly string[];
  /** Size of all HTML parts after decoding, in bytes. */
  readonly htmlBytes: number;
  readonly attachments: readonly AttachmentReading[];
  /** True if there is content other than text and HTML, such as an image, a file or a calendar entry. */
  readonly hasOther: boolean;
  /**
   * Ids of faults in the body: `unknown_encoding`, `undecodable_part`, `needless_base64`, `html_as_text`,
   * `html_in_text`, and `too_many_parts` for an email inside this one.
   */
  readonly bodyFaults: ReadonlySet<string>;
  readonly charsetFaults: readonly CharsetFault[];
}

const TEXTUAL = /^(?:multipart\/|text\/(?:plain|html)$)/;

/**
 * Returns whether a byte is ASCII but not NUL. UTF-16 text consists of ASCII bytes too, but contains NULs.
 */
const isAscii = (byte: number) => byte > 0 && byte < 0x80;

/**
 * Returns whether a part may be an image. If its first bytes show another type, it counts as an attachment.
 */
const isPicture = (bytes: Uint8Array) => (detectMagic(bytes)?.kind ?? 'image') === 'image';

/** Decodes each leaf part of an email once, and judges the attachments. */
export const readBodyContent = (mail: Uint8Array, tree: MimeTree): BodyContent => {
  const parts = sortParts(tree);
  const bodyFaults = new Set<string>();
  const charsetFaults: CharsetFault[] = [];

  const octets = (node: PlacedNode) => {
    const { bytes, fault } = decodeBody(mail, node);
    if (fault) bodyFaults.add(fault === 'undecodable' ? 'undecodable_part' : fault);
    return bytes;
  };

  const textOf = (node: PlacedNode) => {
    const bytes = octets(node);
    const decodable = !bodyFaults.has('undecodable_part');
    if (node.encoding === 'base64' && decodable && bytes.every(isAscii))
      bodyFaults.add('needless_base64');
    const { text, fault } = decodeTextPart(bytes, node.charset);
    if (fault) charsetFaults.push({ id: fault, type: node.type, charset: node.charset });
    return { text, size: bytes.length };
  };

  const attachments: AttachmentReading[] = [];
  const attach = (node: PlacedNode, bytes: Uint8Array, level = 0) => {
    attachments.push(readAttachment(node, bytes, attachments.length));
    if (node.type !== 'message/rfc822' || level === MAX_MESSAGE_DEPTH) return;
    // Filters open forwarded messages, so their attachments count. This sender is not responsible for the
    // structure of those messages.
    const inner = readMimeTree(bytes, parseHeaderBlock(bytes));
    if (inner.defects.includes('too_many_parts')) bodyFaults.add('too_many_parts');
    for (const file of sortParts(inner).attachments)
      attach(file, decodeBody(bytes, file).bytes, level + 1);
  };

  for (const node of parts.attachments) attach(node, octets(node));
  for (const node of parts.inline) {
    const bytes = octets(node);
    if (!isPicture(bytes)) attach(node, bytes);
  }

  const texts = parts.text.map(textOf);
  const htmls = parts.html.map(textOf);
  const codes = texts.flatMap(({ text }) => htmlCodeIn(text) ?? []);
  if (codes.length > 0)
    bodyFaults.add(htmls.length === 0 && codes.includes('page') ? 'html_as_text' : 'html_in_text');
  return {
    hasText: texts.length > 0,
    text: texts.map(({ text }) => text).join('\n'),
    htmls: htmls.map(({ text }) => text),
    htmlBytes: htmls.reduce((sum, { size }) => sum + size, 0),
    attachments,
    hasOther: tree.nodes.some(({ type, start, end }) => !TEXTUAL.test(type) && end > start),
    bodyFaults,
    charsetFaults,
  };
};
