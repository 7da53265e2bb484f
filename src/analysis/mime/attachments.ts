/** Judges attachments by name, type and content. */

import type { Attachment } from '../../domain/report/message.ts';
import { MAX_UNPACKED_FILES } from '../limits.ts';
import { wordSet } from '../syntax/words.ts';
import type { MimeFacts } from './facts.ts';
import { type Insides, lookInside } from './file-insides.ts';
import {
  contradicts,
  detectMagic,
  type FileKind,
  type FileName,
  readFileName,
} from './file-types.ts';
import type { PlacedNode } from './tree.ts';

type Fault = MimeFacts['attachmentFaults'][number];

export interface AttachmentReading {
  readonly attachment: Attachment;
  /** Faults of the attachment, worst first. */
  readonly faults: readonly Fault[];
}

/** The fault of a file whose type some receivers block, whatever the file contains. */
export const BLOCKED_TYPE = 'blocked_type';

/** Media types that Microsoft 365 blocks. It recognizes them by the file's bytes too. */
const BLOCKED_TYPES = wordSet(
  'application/x-xz application/x-ace application/x-lzh application/x-arj application/x-compress',
);

const RUNNABLE: readonly (FileKind | FileName['kind'])[] = ['executable', 'script', 'shortcut'];

const failKinds = (
  name: FileName,
  kind: FileKind,
  inside: Insides,
  detectedType: string | null,
): string[] =>
  [
    RUNNABLE.includes(kind) && kind,
    RUNNABLE.includes(name.kind) && name.kind !== kind && (name.kind as string),
    inside.executable && 'executable_in_archive',
    name.doubled && 'double_extension',
    name.directionOverride && 'direction_override',
    (inside.macros || name.kind === 'macro') && 'macro_document',
    inside.leadsAway && 'html_leading_away',
    inside.scripted &&
      (kind === 'pdf' ? 'pdf_script' : kind === 'svg' ? 'svg_script' : 'html_script'),
    (name.kind === 'blocked' || BLOCKED_TYPES.has(detectedType ?? '')) && BLOCKED_TYPE,
  ].filter((fault) => fault !== false);

const warnKinds = (
  name: FileName,
  kind: FileKind,
  inside: Insides,
  detectedType: string | null,
): string[] =>
  [
    inside.fieldScripts && 'pdf_fields',
    inside.encrypted && 'encrypted',
    inside.nestedArchive && 'nested_archive',
    (kind === 'html' || name.kind === 'html') && 'html_file',
    contradicts(name.extension, detectedType) && 'type_mismatch',
  ].filter((fault) => fault !== false);

/** Judges one attachment by its name, its first bytes and its internal structure. */
export const readAttachment = (
  node: PlacedNode,
  bytes: Uint8Array,
  index: number,
): AttachmentReading => {
  const name = readFileName(node.fileName);
  const magic = detectMagic(bytes);
  // Markup cannot be recognized by its first bytes alone, so the name and the declared type count as well.
  const markup = name.kind === 'html' || name.kind === 'svg' ? name.kind : null;
  const declared =
    node.type === 'text/html' ? 'html' : node.type === 'image/svg+xml' ? 'svg' : null;
  const kind = magic?.kind ?? markup ?? declared ?? 'other';
  const inside = lookInside(bytes, kind, index < MAX_UNPACKED_FILES);
  const fault = (severity: Fault['severity']) => (what: string) => ({
    severity,
    extension: name.extension,
    kind: what,
  });
  return {
    attachment: {
      index,
      declared_type: node.type,
      detected_type: magic?.type ?? null,
      extension: name.extension,
      size_bytes: bytes.length,
      encrypted: inside.encrypted,
      macros: inside.macros || name.kind === 'macro',
    },
    faults: [
      ...failKinds(name, kind, inside, magic?.type ?? null).map(fault('fail')),
      ...warnKinds(name, kind, inside, magic?.type ?? null).map(fault('warn')),
    ],
  };
};

/** Returns all attachments as the report lists them, and their faults, worst first. */
export const summarizeAttachments = (readings: readonly AttachmentReading[]) => {
  const faults = readings.flatMap((reading) => reading.faults);
  return {
    attachments: readings.map(({ attachment }) => attachment),
    attachmentFaults: [
      ...faults.filter(({ severity }) => severity === 'fail'),
      ...faults.filter(({ severity }) => severity === 'warn'),
    ],
  };
};
