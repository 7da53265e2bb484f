/** Parses the MIME tree of an email: its parts, their nesting, and defects in their boundaries. */

import { MAX_BOUNDARY_BYTES, MAX_MIME_DEPTH, MAX_MIME_PARTS } from '../limits.ts';
import { type HeaderBlock, parseHeaderBlock } from '../syntax/header-block.ts';
import { type MimeNode, mimeNode } from './part.ts';

/** A MIME part with the position of its body in the bytes of the email. */
export interface PlacedNode extends MimeNode {
  readonly start: number;
  readonly end: number;
  /** Length of the longest line in the part's body, in bytes without the line ending. */
  readonly longestLine: number;
}

export interface MimeTree {
  /** The parts in the order of the email, the root first. */
  readonly nodes: readonly PlacedNode[];
  /** Ids of defects: `missing_boundary`, `no_closing_boundary`, `too_deep`, `too_many_parts`, … */
  readonly defects: readonly string[];
}

type Open = { -readonly [Key in keyof PlacedNode]: PlacedNode[Key] };

const LF = 0x0a;
const CR = 0x0d;
const DASH = 0x2d;

const childFallback = (parent: MimeNode) =>
  parent.type === 'multipart/digest' ? 'message/rfc822' : 'text/plain';

/**
 * Walks through the body line by line, and finds the parts by their boundaries (RFC 2046 §5.1). It makes one
 * pass, copies nothing and does not recurse. An embedded message is a leaf.
 */
class Walk {
  readonly nodes: Open[] = [];
  readonly defects = new Set<string>();
  /** The open multiparts, outermost first. `index` is the position among the nodes. */
  private readonly stack: { readonly index: number; readonly boundary: string }[] = [];
  private leaf: Open | null = null;
  private headersAt: number | null = null;
  /** True if a line looks like a delimiter but belongs to no open multipart. */
  private hasStrangeDelimiter = false;
  private readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  open(block: HeaderBlock, start: number) {
    const parent = this.stack.at(-1)?.index ?? null;
    const depth = this.stack.length;
    const enclosing = parent === null ? null : this.nodes[parent];
    const fallback = enclosing ? childFallback(enclosing) : 'text/plain';
    const described = mimeNode(block, { parent, depth, fallback });
    const node: Open = { ...described, start, end: this.bytes.length, longestLine: 0 };
    this.nodes.push(node);
    if (node.repeatedParameter) this.defects.add('repeated_parameter');
    if (node.malformedType) this.defects.add('malformed_content_type');
    if (block.truncated && parent !== null) this.defects.add('part_header_too_large');
    if (block.junkLines > 0) this.defects.add('junk_header_line');
    if (!node.type.startsWith('multipart/') || !this.enter(node)) this.leaf = node;
  }

  private enter(node: Open): boolean {
    if (node.boundary === null) this.defects.add('missing_boundary');
    else if (node.boundary.length > MAX_BOUNDARY_BYTES) this.defects.add('boundary_too_long');
    else if (this.stack.length >= MAX_MIME_DEPTH) this.defects.add('too_deep');
    else {
      this.stack.push({ index: this.nodes.length - 1, boundary: node.boundary });
      return true;
    }
    return false;
  }

  /** Processes the line of the body from `start` to `textEnd`. The next line begins at `next`. */
  line(start: number, textEnd: number, next: number) {
    if (this.bytes[start] === DASH && this.bytes[start + 1] === DASH && this.stack.length > 0) {
      const found = this.delimiter(start + 2, textEnd);
      if (found) {
        this.delimited(found.level, found.closes, start, next);
        return;
      }
      // A line that consists of `-- ` precedes a signature (RFC 3676 §4.3), and is no delimiter.
      this.hasStrangeDelimiter ||= textEnd - start > 3;
    }
    if (this.headersAt !== null) {
      if (textEnd === start) this.endHeaders(start, next);
    } else if (this.leaf && textEnd - start > this.leaf.longestLine)
      this.leaf.longestLine = textEnd - start;
  }

  private delimiter(start: number, end: number) {
    if (end - start > MAX_BOUNDARY_BYTES + 100) return null;
    const { buffer, byteOffset } = this.bytes;
    const text = Buffer.from(buffer, byteOffset + start, end - start)
      .toString('latin1')
      .trimEnd();
    for (let level = this.stack.length - 1; level >= 0; level--) {
      const boundary = this.stack[level]?.boundary;
      if (text === boundary) return { level, closes: false };
      if (text === `${boundary}--`) return { level, closes: true };
    }
    return null;
  }

  private delimited(level: number, closes: boolean, start: number, next: number) {
    if (this.headersAt !== null) this.endHeaders(start, start);
    this.endLeaf(start);
    // The delimiter of an outer multipart also ends everything that is open inside it (RFC 2046 §5.1.2).
    if (level < this.stack.length - 1) this.defects.add('no_closing_boundary');
    while (this.stack.length > level + 1) this.close(start);
    if (closes) this.close(start);
    else if (this.nodes.length >= MAX_MIME_PARTS) this.defects.add('too_many_parts');
    else this.headersAt = next;
  }

  private close(end: number) {
    const node = this.nodes[this.stack.pop()?.index ?? -1];
    if (node) node.end = end;
  }

  private endHeaders(end: number, bodyStart: number) {
    const at = this.headersAt ?? end;
    this.headersAt = null;
    this.open(parseHeaderBlock(this.bytes.subarray(at, end)), bodyStart);
  }

  /** Ends the leaf that is being read. The line ending before a delimiter belongs to the delimiter. */
  private endLeaf(delimiterAt: number) {
    if (!this.leaf) return;
    let end = delimiterAt;
    if (this.bytes[end - 1] === LF) end--;
    if (this.bytes[end - 1] === CR) end--;
    this.leaf.end = Math.max(end, this.leaf.start);
    this.leaf = null;
  }

  finish() {
    const end = this.bytes.length;
    if (this.headersAt !== null) this.endHeaders(end, end);
    if (this.stack.length > 0) this.defects.add('no_closing_boundary');
    if (this.nodes.some(({ type }, index) => this.isEmptyMultipart(type, index))) {
      this.defects.add('empty_multipart');
      if (this.hasStrangeDelimiter) this.defects.add('boundary_mismatch');
    }
  }

  private isEmptyMultipart(type: string, index: number) {
    return type.startsWith('multipart/') && !this.nodes.some(({ parent }) => parent === index);
  }
}

/** Returns the MIME tree of an email whose header block has been read. */
export const readMimeTree = (bytes: Uint8Array, block: HeaderBlock): MimeTree => {
  const walk = new Walk(bytes);
  walk.open(block, block.bodyOffset);
  for (let at = block.bodyOffset; at < bytes.length; ) {
    const found = bytes.indexOf(LF, at);
    const lineEnd = found === -1 ? bytes.length : found;
    const textEnd = lineEnd > at && bytes[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd;
    const next = Math.min(lineEnd + 1, bytes.length);
    walk.line(at, textEnd, next);
    at = lineEnd + 1;
  }
  walk.finish();
  return { nodes: walk.nodes, defects: [...walk.defects] };
};
