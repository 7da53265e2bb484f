/** Finds the line in an email file that each finding is about, such as the line of a header or of a link. */

import { findCheck } from '../../analysis/checks.ts';
import { type PlacedNode, readMimeTree } from '../../analysis/mime/tree.ts';
import { parseHeaderBlock } from '../../analysis/syntax/header-block.ts';
import { hasPlaceholder } from '../../analysis/text/template-fields.ts';
import type { Finding } from '../../domain/report/report.ts';
import type { FilePlace } from '../formats/json-schema.ts';

/**
 * The decoded text of a MIME part, with one character per byte, and the line of the file that each character
 * comes from.
 */
interface PlacedText {
  readonly text: string;
  /** Returns the line that a character comes from, counted from 0 at the first line of the part. */
  lineAt(index: number): number;
}

const SOFT_BREAK = /=[ \t]*$/;

const decodeQuotedPrintable = (line: string): string => {
  const isSoft = SOFT_BREAK.test(line);
  const text = line
    .replace(SOFT_BREAK, '')
    .replace(/=([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return isSoft ? text : `${text}\n`;
};

/**
 * Decodes base64 line by line. Four characters yield three bytes, so characters left over at the end of a
 * line begin the next group.
 */
function decodeBase64(): (line: string) => string {
  let rest = '';
  return (line) => {
    const all = rest + line.replace(/[^A-Za-z0-9+/]/g, '');
    const whole = all.length - (all.length % 4);
    rest = all.slice(whole);
    return Buffer.from(all.slice(0, whole), 'base64').toString('latin1');
  };
}

const decoderOf = (encoding: string | null): ((line: string) => string) =>
  encoding === 'quoted-printable'
    ? decodeQuotedPrintable
    : encoding === 'base64'
      ? decodeBase64()
      : (line) => `${line}\n`;

/** Decodes a MIME part line by line. */
function placeText(bytes: Uint8Array, { start, end, encoding }: PlacedNode): PlacedText {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
  const decode = decoderOf(encoding);
  const starts: number[] = [];
  let text = '';
  for (const line of raw.split(/\r?\n/)) {
    starts.push(text.length);
    text += decode(line);
  }
  return { text, lineAt: (index) => starts.findLastIndex((at) => at <= index) };
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * Header names for findings, or areas of findings, that name no header themselves. The first header that is
 * present is used.
 */
const HEADERS: Readonly<Record<string, readonly string[]>> = {
  spf: ['return-path', 'from'],
  dkim: ['dkim-signature', 'from'],
  arc: ['arc-seal', 'from'],
  unsubscribe: ['list-unsubscribe', 'from'],
  mime_structure: ['content-type', 'mime-version', 'from'],
  charset_declared: ['content-type', 'mime-version', 'from'],
};

/**
 * The kind of MIME part that a finding is about. All other findings are about the HTML part, or the text part
 * if there is no HTML.
 */
const PARTS: Readonly<Record<string, (node: PlacedNode) => boolean>> = {
  text_alternative: ({ type }) => type === 'text/plain',
  text_html_mismatch: ({ type }) => type === 'text/plain',
  attachment_types: ({ type, disposition }) =>
    disposition === 'attachment' || !/^(text|multipart)\//.test(type),
};

/** Patterns that find the place of a finding whose evidence does not show it. */
const MARKS: Readonly<Record<string, RegExp>> = {
  images_alt: /<img\b(?![^>]*\balt\s*=)/i,
  images_embedded: /<img\b/i,
  tracking_pixel: /<img\b/i,
  active_content: /<(?:script|form|object|embed|iframe)\b/i,
};

/**
 * Creates the function that finds the line of an email file which a finding is about: a header, a part or a
 * link.
 */
export function createLocator(
  bytes: Uint8Array,
  firstLine: number,
): (finding: Finding) => FilePlace {
  const block = parseHeaderBlock(bytes);
  const ends = lineEnds(bytes);
  const lineOf = (offset: number) => firstLine + ends.filter((end) => end < offset).length;
  const head = Buffer.from(bytes.subarray(0, block.bodyOffset)).toString('latin1').split('\n');
  const headers = headerLines(head, firstLine);
  const leaves = readMimeTree(bytes, block).nodes.filter(({ type }) => !/^multipart\//.test(type));
  const texts = leaves.filter(({ type }) => /^text\//.test(type));
  const placed = new Map<PlacedNode, PlacedText>();
  const textOf = (node: PlacedNode) =>
    placed.get(node) ?? (placed.set(node, placeText(bytes, node)).get(node) as PlacedText);

  const inHeader = ({ id, area, actions = [], evidence = {} }: Finding): FilePlace => {
    const named = [
      ...actions.flatMap(({ kind, name }) => (kind === 'header' && name ? [name] : [])),
      ...Object.values(evidence)
        .flat()
        .filter((value) => typeof value === 'string'),
      findCheck(id)?.header ?? '',
    ].map((name) => name.toLowerCase());
    const name = [...named, ...(HEADERS[id] ?? HEADERS[area] ?? ['from'])].find((one) =>
      headers.has(one),
    );
    const lines = headers.get(name ?? '') ?? [];
    // For duplicate headers, the second one is the one too many.
    const line = (id === 'duplicate_headers' ? lines[1] : undefined) ?? lines[0] ?? firstLine;
    return { line, what: name === undefined ? 'header' : `header ${name}` };
  };

  const inPart = (node: PlacedNode | undefined, line = 0): FilePlace =>
    node
      ? {
          line: lineOf(node.start) + line,
          what: leaves.length > 1 ? `part ${leaves.indexOf(node) + 1}, ${node.type}` : node.type,
        }
      : { line: firstLine, what: 'mail' };

  /** Finds the first text part for which `indexIn` returns a position. */
  const search = (indexIn: (text: string) => number): FilePlace | undefined => {
    for (const node of texts) {
      const { text, lineAt } = textOf(node);
      const index = indexIn(text);
      if (index >= 0) return inPart(node, lineAt(index));
    }
    return undefined;
  };

  const inContent = ({ id, evidence = {} }: Finding): FilePlace => {
    const hosts = Object.values(evidence).flat().flatMap(hostsIn);
    const mark = MARKS[id];
    const found =
      search((text) => firstOf(text.toLowerCase(), hosts)) ??
      (id === 'template_placeholders' ? search(placeholderIn) : undefined) ??
      (mark && search((text) => text.search(mark))) ??
      undefined;
    const isPart = PARTS[id] ?? (({ type }: PlacedNode) => type === 'text/html');
    return found ?? inPart(leaves.find(isPart) ?? texts[0] ?? leaves[0]);
  };

  return (finding) => {
    const { id, area } = finding;
    if (id === 'bare_newlines') return { line: lineOf(bareNewline(bytes)), what: 'line end' };
    const junk = id === 'mime_structure' ? junkLine(head) : -1;
    if (junk >= 0) return { line: firstLine + junk, what: 'no header line' };
    if (id === 'line_length') return { line: lineOf(longestLine(ends)), what: 'line' };
    return area === 'content' || area === 'links' || id === 'body_unsubscribe'
      ? inContent(finding)
      : inHeader(finding);
  };
}

function lineEnds(bytes: Uint8Array): number[] {
  const ends: number[] = [];
  for (let at = bytes.indexOf(LF); at >= 0; at = bytes.indexOf(LF, at + 1)) ends.push(at);
  return ends;
}

const FIELD = /^([!-9;-~]+)[ \t]*:/;

/**
 * Returns the index of the first line that is neither a header field nor the continuation of one, for example
 * after a byte order mark; -1 if there is none.
 */
const junkLine = (head: readonly string[]): number =>
  head.findIndex((line) => !/^[ \t\r]|^$/.test(line) && !FIELD.test(line));

/** Returns the line numbers of all header fields, by their names in lower case. */
function headerLines(head: readonly string[], firstLine: number): Map<string, number[]> {
  const lines = new Map<string, number[]>();
  for (const [index, line] of head.entries()) {
    const name = FIELD.exec(line)?.[1]?.toLowerCase();
    const known = lines.get(name ?? '');
    if (known) known.push(firstLine + index);
    else if (name) lines.set(name, [firstLine + index]);
  }
  return lines;
}

/** Returns the host names in a value of a finding's evidence. */
const hostsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [...value.toLowerCase().matchAll(/[^\s/:@]+\.[^\s/:@]+/g)].map(([host]) => host)
    : [];

/** Returns the position of whichever of these texts comes first; -1 if none is found. */
const firstOf = (text: string, needles: readonly string[]): number =>
  needles
    .map((one) => text.indexOf(one))
    .reduce((a, b) => (b >= 0 && (a < 0 || b < a) ? b : a), -1);

function placeholderIn(text: string): number {
  let at = 0;
  for (const line of text.split('\n')) {
    if (hasPlaceholder(line)) return at;
    at += line.length + 1;
  }
  return -1;
}

/** Returns the position of the first bare CR or LF. */
function bareNewline(bytes: Uint8Array): number {
  return bytes.findIndex(
    (byte, at) => (byte === LF && bytes[at - 1] !== CR) || (byte === CR && bytes[at + 1] !== LF),
  );
}

/** Returns the position at which the longest line begins. */
function longestLine(ends: readonly number[]): number {
  let longest = { at: 0, length: -1 };
  let from = 0;
  for (const end of ends) {
    if (end - from > longest.length) longest = { at: from, length: end - from };
    from = end + 1;
  }
  return longest.at;
}
