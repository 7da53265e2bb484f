/**
 * Sorts the parts of an email into text, HTML, attachments and inline images, and undoes their transfer
 * encodings.
 */

import type { MimeTree, PlacedNode } from './tree.ts';

/** The leaf parts of an email by purpose: body text, attachments, and images in the HTML. */
interface BodyParts {
  readonly text: readonly PlacedNode[];
  readonly html: readonly PlacedNode[];
  readonly attachments: readonly PlacedNode[];
  /** Images that the HTML shows. */
  readonly inline: readonly PlacedNode[];
}

const parentOf = (node: PlacedNode, nodes: readonly PlacedNode[]) =>
  node.parent === null ? undefined : nodes[node.parent];

const inAlternative = (node: PlacedNode, nodes: readonly PlacedNode[]) =>
  parentOf(node, nodes)?.type === 'multipart/alternative';

/**
 * Returns whether a leaf part is body text. Text with a file name is an attached file, unless nothing else
 * could be the body.
 */
const isBody = (node: PlacedNode, nodes: readonly PlacedNode[]) =>
  (node.type === 'text/plain' || node.type === 'text/html') &&
  node.disposition !== 'attachment' &&
  (node.fileName === '' || node.parent === null || inAlternative(node, nodes));

/**
 * Types of parts that are neither body text nor attachments: signatures, and the machine-readable parts of a
 * report.
 */
const FURNITURE = new Set([
  'application/pgp-signature',
  'application/pkcs7-signature',
  'application/x-pkcs7-signature',
  'application/pgp-encrypted',
  'message/delivery-status',
  'message/global-delivery-status',
  'message/disposition-notification',
  'message/global-disposition-notification',
  'message/feedback-report',
  'message/global-headers',
  'text/rfc822-headers',
]);

/**
 * Returns whether a part is neither body text nor an attachment. A calendar entry in an alternative is such a
 * part.
 */
const isFurniture = ({ type, disposition }: PlacedNode, parent: PlacedNode | undefined) =>
  FURNITURE.has(type) || (parent?.type === 'multipart/alternative' && disposition !== 'attachment');

const isInlinePicture = ({ type, contentId, disposition }: PlacedNode) =>
  type.startsWith('image/') &&
  type !== 'image/svg+xml' &&
  contentId !== '' &&
  disposition !== 'attachment';

/** Sorts the leaf parts of an email by their purpose. */
export const sortParts = ({ nodes }: MimeTree): BodyParts => {
  const leaves = nodes.filter(({ type }) => !type.startsWith('multipart/'));
  const body = leaves.filter((node) => isBody(node, nodes));
  const html = body.filter(({ type }) => type === 'text/html');
  const firstHtml = html[0];
  const rest = leaves.filter(
    (node) => !body.includes(node) && !isFurniture(node, parentOf(node, nodes)),
  );
  return {
    // A footer that a mailing list added after the HTML is not an alternative to it.
    text: body.filter(
      (node) =>
        node.type === 'text/plain' &&
        (!firstHtml || node.start < firstHtml.start || inAlternative(node, nodes)),
    ),
    html,
    attachments: rest.filter((node) => !isInlinePicture(node)),
    inline: rest.filter(isInlinePicture),
  };
};

/**
 * The decoded octets of a part. `fault` says that the transfer encoding is unknown, or that the body breaks
 * its rules.
 */
interface DecodedBody {
  readonly bytes: Uint8Array;
  readonly fault: 'unknown_encoding' | 'undecodable' | null;
}

const EQUALS = 0x3d;
const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;
const TAB = 0x09;

/**
 * Returns the value of a hexadecimal digit, or -1 for any other byte. RFC 2045 §6.7 requires capital letters,
 * but all clients accept both cases.
 */
const hexDigit = (byte: number | undefined): number => {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
};

/** Returns the position after the soft line break that begins with `=` at `at`, or -1 if there is none. */
const softBreakEnd = (bytes: Uint8Array, at: number): number => {
  let i = at + 1;
  while (bytes[i] === SPACE || bytes[i] === TAB) i++;
  if (bytes[i] === CR && bytes[i + 1] === LF) return i + 2;
  return i >= bytes.length || bytes[i] === LF ? Math.min(i + 1, bytes.length) : -1;
};

const quotedPrintable = (bytes: Uint8Array): DecodedBody => {
  const out = new Uint8Array(bytes.length);
  let length = 0;
  let broken = false;
  for (let i = 0; i < bytes.length; ) {
    const byte = bytes[i] as number;
    if (byte !== EQUALS) {
      out[length++] = byte;
      i++;
      continue;
    }
    const high = hexDigit(bytes[i + 1]);
    const low = hexDigit(bytes[i + 2]);
    if (high >= 0 && low >= 0) {
      out[length++] = high * 16 + low;
      i += 3;
      continue;
    }
    const end = softBreakEnd(bytes, i);
    if (end === -1) {
      broken = true;
      out[length++] = byte;
    }
    i = end === -1 ? i + 1 : end;
  }
  return { bytes: out.subarray(0, length), fault: broken ? 'undecodable' : null };
};

/** Matches characters that are neither in the base64 alphabet nor white space. */
const NOT_BASE64 = /[^A-Za-z0-9+/=\r\n \t]/;

const base64 = (bytes: Uint8Array): DecodedBody => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return {
    bytes: Buffer.from(text, 'base64'),
    fault: NOT_BASE64.test(text) ? 'undecodable' : null,
  };
};

/** Returns the octets of a leaf part after undoing its transfer encoding (RFC 2045 §6). */
export const decodeBody = (mail: Uint8Array, node: PlacedNode): DecodedBody => {
  const bytes = mail.subarray(node.start, node.end);
  switch (node.encoding) {
    case 'quoted-printable':
      return quotedPrintable(bytes);
    case 'base64':
      return base64(bytes);
    case null:
    case '7bit':
    case '8bit':
    case 'binary':
      return { bytes, fault: null };
    default:
      return { bytes, fault: 'unknown_encoding' };
  }
};
