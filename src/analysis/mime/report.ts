import { hasHighBytes } from '../syntax/charset.ts';
import { fieldsNamed, firstNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { withoutComments } from '../syntax/words.ts';
import type { MimeFacts, StructureFault } from './facts.ts';
import type { MimeTree, PlacedNode } from './tree.ts';

const MAX_STRUCTURE_LENGTH = 2000;

/** Clients and filters lose patience with more levels than this. */
export const DEEP = 10;

/** `multipart/alternative(text/plain,text/html)`. As deep as the walk goes, 20 levels. */
const structureOf = (nodes: readonly PlacedNode[]): string => {
  const children = Map.groupBy(nodes.keys(), (index) => nodes[index]?.parent ?? -1);
  const describe = (index: number): string => {
    const inner = children.get(index)?.map(describe).join(',');
    const type = nodes[index]?.type ?? '';
    return inner === undefined ? type : `${type}(${inner})`;
  };
  return describe(0).slice(0, MAX_STRUCTURE_LENGTH);
};

const toPart = ({ type, charset, encoding, disposition, start, end }: PlacedNode) => ({
  type,
  charset,
  encoding,
  size_bytes: end - start,
  disposition,
});

/** The MIME tree as the report shows it. Sizes are as sent, the encoding not undone. */
export const mimeReport = (
  { nodes, defects }: MimeTree,
  moreDefects: readonly string[],
): MimeFacts['mime'] => ({
  structure: structureOf(nodes),
  parts: nodes.filter(({ type }) => !type.startsWith('multipart/')).map(toPart),
  depth: Math.max(...nodes.map(({ depth }) => depth)),
  defects: [...new Set([...defects, ...moreDefects])],
});

/**
 * `later` stands before `earlier` in one alternative, of which clients show the last that they can.
 * The nodes are in the order of the mail, so that what lies between two of them lies inside.
 */
const swapped = (nodes: readonly PlacedNode[], earlier: string, later: string): boolean =>
  nodes.some(({ type, parent }, index) => {
    if (type !== earlier || parent === null) return false;
    if (nodes[parent]?.type !== 'multipart/alternative') return false;
    return nodes.slice(parent, index).some((before) => before.type === later);
  });

/** RFC 2046 §5.1.4: versions of one text are alternatives; in other multiparts both are shown. */
export const hasTextBesideHtml = (nodes: readonly PlacedNode[]): boolean =>
  nodes.some(({ type, parent, fileName, disposition }, index) => {
    const around = parent === null ? undefined : nodes[parent]?.type;
    const next = nodes[index + 1];
    return (
      (around === 'multipart/mixed' || around === 'multipart/related') &&
      type === 'text/plain' &&
      next?.type === 'text/html' &&
      next.parent === parent &&
      [fileName, next.fileName].every((name) => name === '') &&
      [disposition, next.disposition].every((one) => one !== 'attachment')
    );
  });

/** A file that does not say so. What is encrypted has a part like it (RFC 1847 §2.2). */
const missesDisposition = (nodes: readonly PlacedNode[]): boolean =>
  nodes.some(
    ({ type, disposition, contentId, parent }) =>
      type === 'application/octet-stream' &&
      disposition === null &&
      contentId === '' &&
      (parent === null || nodes[parent]?.type !== 'multipart/encrypted'),
  );

/** RFC 2045 §6.8, in octets without the line's end. */
export const MAX_BASE64_LINE = 76;

const hasLongBase64 = (nodes: readonly PlacedNode[]): boolean =>
  nodes.some(({ encoding, longestLine }) => encoding === 'base64' && longestLine > MAX_BASE64_LINE);

/** RFC 2045 §4: there is one version; comments may stand beside it. */
const hasOddMimeVersion = (block: HeaderBlock): boolean => {
  const version = firstNamed(block, 'mime-version');
  return version !== null && withoutComments(version).trim() !== '1.0';
};

/** RFC 2045 §6.2: 7bit, which is also what no field at all says, has no byte above 127. */
const hasUndeclared8Bit = (mail: Uint8Array, nodes: readonly PlacedNode[]): boolean =>
  nodes.some(
    ({ type, encoding, start, end }) =>
      type.startsWith('text/') &&
      (encoding === null || encoding === '7bit') &&
      hasHighBytes(mail.subarray(start, end)),
  );

/** Outlook's Rich Text, which no other client opens. */
const isTnef = ({ type, fileName }: PlacedNode): boolean =>
  /^application\/(?:vnd\.)?ms-tnef$/.test(type) || fileName.toLowerCase() === 'winmail.dat';

/** RFC 2045 §4: a mail that uses MIME says so. */
const missesMimeVersion = (block: HeaderBlock): boolean =>
  fieldsNamed(block, 'mime-version').length === 0 &&
  ['content-type', 'content-transfer-encoding'].some((name) => fieldsNamed(block, name).length > 0);

const FAILS = [
  'blank_line_in_header',
  'junk_header_line',
  'boundary_mismatch',
  'no_closing_boundary',
  'unknown_encoding',
  'undecodable_part',
  'missing_boundary',
  'empty_body',
];

/** Faults that are there because of another one, which is told in their place. */
const SYMPTOMS: Readonly<Record<string, readonly string[]>> = {
  boundary_mismatch: ['no_closing_boundary', 'empty_body'],
  blank_line_in_header: ['boundary_mismatch', 'no_closing_boundary', 'empty_body'],
};

const HINTS = ['needless_base64'];

/** Faults of the structure, worst first: RFC 2045 and RFC 2046 §5.1. */
export const structureFaults = (
  mail: Uint8Array,
  { nodes, defects }: MimeTree,
  block: HeaderBlock,
  bodyFaults: readonly string[],
): readonly StructureFault[] => {
  const all = new Set([...defects, ...bodyFaults]);
  for (const [cause, symptoms] of Object.entries(SYMPTOMS))
    if (all.has(cause)) for (const symptom of symptoms) all.delete(symptom);
  const depth = Math.max(...nodes.map((node) => node.depth));
  const warnings = [
    all.has('malformed_content_type') && 'malformed_content_type',
    depth > DEEP && 'nested_deep',
    swapped(nodes, 'text/plain', 'text/html') && 'html_before_plain',
    swapped(nodes, 'text/x-amp-html', 'text/html') && 'html_before_amp',
    hasUndeclared8Bit(mail, nodes) && 'undeclared_8bit',
    nodes.some(isTnef) && 'tnef',
    all.has('text_beside_html') && 'text_beside_html',
    hasLongBase64(nodes) && 'long_base64_lines',
    missesDisposition(nodes) && 'missing_disposition',
    missesMimeVersion(block) && 'missing_mime_version',
    hasOddMimeVersion(block) && 'odd_mime_version',
  ].filter((id) => id !== false);
  return [
    ...FAILS.filter((id) => all.has(id)).map((id) => ({ severity: 'fail' as const, id })),
    ...warnings.map((id) => ({ severity: 'warn' as const, id })),
    ...HINTS.filter((id) => all.has(id)).map((id) => ({ severity: 'info' as const, id })),
  ];
};
