import { MAX_MESSAGE_DEPTH } from '../limits.ts';
import { type AttachmentReading, readAttachment } from '../mime/attachments.ts';
import { sortParts } from '../mime/body-parts.ts';
import { decodeBody, decodeTextPart } from '../mime/decode.ts';
import type { CharsetFault } from '../mime/facts.ts';
import { detectMagic } from '../mime/file-magic.ts';
import { type MimeTree, type PlacedNode, readMimeTree } from '../mime/tree.ts';
import { parseHeaderBlock } from '../syntax/header-block.ts';

/** The decoded parts of a mail. Texts stay inside. */
export interface BodyContent {
  readonly hasText: boolean;
  /** All text parts, joined. */
  readonly text: string;
  readonly htmls: readonly string[];
  /** Of all HTML parts, decoded. */
  readonly htmlBytes: number;
  readonly attachments: readonly AttachmentReading[];
  /** Something besides text and HTML is there: a picture, a file, a calendar entry. */
  readonly hasOther: boolean;
  /** `unknown_encoding`, `undecodable_part`, `needless_base64`; `too_many_parts` of a mail inside. */
  readonly bodyFaults: ReadonlySet<string>;
  readonly charsetFaults: readonly CharsetFault[];
}

const TEXTUAL = /^(?:multipart\/|text\/(?:plain|html)$)/;

/** UTF-16 is made of such bytes too, and of NULs. */
const isAscii = (byte: number) => byte > 0 && byte < 0x80;

/** By its first bytes: what only calls itself a picture is an attachment. */
const isPicture = (bytes: Uint8Array) => (detectMagic(bytes)?.kind ?? 'image') === 'image';

/** Decodes the leaves of a mail, each once, and judges those that are attached. */
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
    // Filters open what is forwarded; how it was put together is not this sender's doing.
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
