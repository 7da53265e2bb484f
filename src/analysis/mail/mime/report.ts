import type { ContentFacts, StructureFault } from '../../mail-facts.ts';
import { fieldsNamed, type HeaderBlock } from '../headers/header-block.ts';
import type { MimeTree, PlacedNode } from './tree.ts';

const MAX_STRUCTURE_LENGTH = 2000;

/** Clients and filters lose patience with more levels than this. */
const DEEP = 10;

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
): ContentFacts['mime'] => ({
  structure: structureOf(nodes),
  parts: nodes.filter(({ type }) => !type.startsWith('multipart/')).map(toPart),
  depth: Math.max(...nodes.map(({ depth }) => depth)),
  defects: [...new Set([...defects, ...moreDefects])],
});

/** The nodes are in the order of the mail, so that what lies between two of them lies inside. */
const htmlBeforePlain = (nodes: readonly PlacedNode[]): boolean =>
  nodes.some(({ type, parent }, index) => {
    if (type !== 'text/plain' || parent === null) return false;
    if (nodes[parent]?.type !== 'multipart/alternative') return false;
    return nodes.slice(parent, index).some((before) => before.type === 'text/html');
  });

/** RFC 2045 §4: a mail that uses MIME says so. */
const missesMimeVersion = (block: HeaderBlock): boolean =>
  fieldsNamed(block, 'mime-version').length === 0 &&
  ['content-type', 'content-transfer-encoding'].some((name) => fieldsNamed(block, name).length > 0);

const FAILS = [
  'no_closing_boundary',
  'unknown_encoding',
  'undecodable_part',
  'missing_boundary',
  'empty_body',
];

/** Faults of the structure, worst first: RFC 2045 and RFC 2046 §5.1. */
export const structureFaults = (
  { nodes, defects }: MimeTree,
  block: HeaderBlock,
  bodyFaults: readonly string[],
): readonly StructureFault[] => {
  const all = new Set([...defects, ...bodyFaults]);
  const depth = Math.max(...nodes.map((node) => node.depth));
  const warnings = [
    depth > DEEP && 'nested_deep',
    htmlBeforePlain(nodes) && 'html_before_plain',
    missesMimeVersion(block) && 'missing_mime_version',
  ].filter((id) => id !== false);
  return [
    ...FAILS.filter((id) => all.has(id)).map((id) => ({ severity: 'fail' as const, id })),
    ...warnings.map((id) => ({ severity: 'warn' as const, id })),
  ];
};
