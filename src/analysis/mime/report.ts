/** Describes the MIME structure of an email for the report, and finds its faults. */

import { hasHighBytes } from '../syntax/charset.ts';
import { fieldsNamed, firstNamed, type HeaderBlock } from '../syntax/header-block.ts';
import { withoutComments } from '../syntax/words.ts';
import type { MimeFacts, StructureFault } from './facts.ts';
import type { MimeTree, PlacedNode } from './tree.ts';

const MAX_STRUCTURE_LENGTH = 2000;

/** Depth of nesting beyond which mail clients and filters give up. */
export const DEEP = 10;

/**
 * Formats the structure of an email, such as `multipart/alternative(text/plain,text/html)`, to a depth of at
 * most 20 levels.
 */
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

/** Returns the MIME tree as the report shows it. Part sizes are as sent, before decoding. */
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
 * Returns whether `later` comes before `earlier` in the same alternative. That order is wrong, because
 * clients show the last version that they can. Nodes are in the order of the email, so all nodes between an
 * alternative and one of its parts are inside the alternative.
 */
const swapped = (nodes: readonly PlacedNode[], earlier: string, later: string): boolean =>
  nodes.some(({ type, parent }, index) => {
    if (type !== earlier || parent === null) return false;
    if (nodes[parent]?.type !== 'multipart/alternative') return false;
    return nodes.slice(parent, index).some((before) => before.type === later);
  });

/**
 * Returns whether an email shows both a text and its HTML version. Versions of the same text belong in an
 * alternative (RFC 2046 §5.1.4), because in other multiparts all parts are shown.
 */
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

/**
 * Returns whether an attached file lacks a Content-Disposition. The encrypted part of an encrypted email
 * needs none (RFC 1847 §2.2).
 */
const missesDisposition = (nodes: readonly PlacedNode[]): boolean =>
  nodes.some(
    ({ type, disposition, contentId, parent }) =>
      type === 'application/octet-stream' &&
      disposition === null &&
      contentId === '' &&
      (parent === null || nodes[parent]?.type !== 'multipart/encrypted'),
  );

/** Maximum length of a base64 line in octets, without the line ending (RFC 2045 §6.8). */
export const MAX_BASE64_LINE = 76;

const hasLongBase64 = (nodes: readonly PlacedNode[]): boolean =>
  nodes.some(({ encoding, longestLine }) => encoding === 'base64' && longestLine > MAX_BASE64_LINE);

/**
 * Returns whether MIME-Version has a value other than 1.0, the only version that exists. Comments beside it
 * are allowed (RFC 2045 §4).
 */
const hasOddMimeVersion = (block: HeaderBlock): boolean => {
  const version = firstNamed(block, 'mime-version');
  return version !== null && withoutComments(version).trim() !== '1.0';
};

/**
 * Returns whether a text part declared as 7bit, which is also the default, has a byte above 127 (RFC 2045
 * §6.2).
 */
const hasUndeclared8Bit = (mail: Uint8Array, nodes: readonly PlacedNode[]): boolean =>
  nodes.some(
    ({ type, encoding, start, end }) =>
      type.startsWith('text/') &&
      (encoding === null || encoding === '7bit') &&
      hasHighBytes(mail.subarray(start, end)),
  );

/** Returns whether a part is in Outlook's Rich Text format (TNEF), which no other client opens. */
const isTnef = ({ type, fileName }: PlacedNode): boolean =>
  /^application\/(?:vnd\.)?ms-tnef$/.test(type) || fileName.toLowerCase() === 'winmail.dat';

/** Returns whether an email uses MIME but has no MIME-Version field (RFC 2045 §4). */
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
  'html_as_text',
  'missing_boundary',
  'empty_body',
];

/** For each fault, the faults that it causes. Those are not reported beside it. */
const SYMPTOMS: Readonly<Record<string, readonly string[]>> = {
  boundary_mismatch: ['no_closing_boundary', 'empty_body'],
  blank_line_in_header: ['boundary_mismatch', 'no_closing_boundary', 'empty_body'],
};

const HINTS = ['binary_encoding', 'needless_base64'];

/** Returns the faults of the MIME structure, worst first (RFC 2045, RFC 2046 §5.1). */
export const structureFaults = (
  mail: Uint8Array,
  { nodes, defects }: MimeTree,
  block: HeaderBlock,
  bodyFaults: readonly string[],
): readonly StructureFault[] => {
  const all = new Set([...defects, ...bodyFaults]);
  if (nodes.some(({ encoding }) => encoding === 'binary')) all.add('binary_encoding');
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
    all.has('html_in_text') && 'html_in_text',
    hasLongBase64(nodes) && 'long_base64_lines',
    missesDisposition(nodes) && 'missing_disposition',
    missesMimeVersion(block) && 'missing_mime_version',
    hasOddMimeVersion(block) && 'odd_mime_version',
    block.fields.some(({ spaceBeforeColon }) => spaceBeforeColon) && 'space_before_colon',
  ].filter((id) => id !== false);
  return [
    ...FAILS.filter((id) => all.has(id)).map((id) => ({ severity: 'fail' as const, id })),
    ...warnings.map((id) => ({ severity: 'warn' as const, id })),
    ...HINTS.filter((id) => all.has(id)).map((id) => ({ severity: 'info' as const, id })),
  ];
};
