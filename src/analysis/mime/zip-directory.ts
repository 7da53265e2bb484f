import { MAX_ARCHIVE_ENTRIES } from '../limits.ts';
import { readFileName } from './file-names.ts';

/** What the central directory of a ZIP file shows; nothing is unpacked. */
export interface ZipDirectory {
  readonly encrypted: boolean;
  readonly macros: boolean;
  readonly executable: boolean;
  readonly nestedArchive: boolean;
  /** An Office document or the like, rather than an archive. */
  readonly container: 'office' | 'java' | null;
}

const EMPTY: ZipDirectory = {
  encrypted: false,
  macros: false,
  executable: false,
  nestedArchive: false,
  container: null,
};

/** APPNOTE 4.3.16: the end record has 22 bytes and a comment of at most 65,535. */
const END_BYTES = 22;
const MAX_COMMENT = 65_535;
const END = 0x06054b50;
/** APPNOTE 4.3.12. */
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;

const findEnd = (view: DataView): number => {
  const lowest = Math.max(0, view.byteLength - END_BYTES - MAX_COMMENT);
  for (let at = view.byteLength - END_BYTES; at >= lowest; at--)
    if (view.getUint32(at, true) === END) return at;
  return -1;
};

/** Names and flags of the entries, as far as the directory can be read. */
const entries = (bytes: Uint8Array) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: { name: string; encrypted: boolean }[] = [];
  const end = findEnd(view);
  let at = end === -1 ? bytes.length : view.getUint32(end + 16, true);
  while (found.length < MAX_ARCHIVE_ENTRIES && at + ENTRY_BYTES <= bytes.length) {
    if (view.getUint32(at, true) !== ENTRY) break;
    const nameLength = view.getUint16(at + 28, true);
    const start = at + ENTRY_BYTES;
    const name = Buffer.from(bytes.subarray(start, start + nameLength)).toString('latin1');
    found.push({ name, encrypted: (view.getUint16(at + 8, true) & 1) === 1 });
    at = start + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return found;
};

const containerOf = (names: readonly string[]): ZipDirectory['container'] => {
  if (names.includes('META-INF/MANIFEST.MF') || names.includes('AndroidManifest.xml'))
    return 'java';
  return names.includes('[Content_Types].xml') || names.includes('mimetype') ? 'office' : null;
};

const DANGEROUS = ['executable', 'script', 'shortcut'];

/** Reads the directory at the end of a ZIP file: 10,000 entries at most. */
export const readZipDirectory = (bytes: Uint8Array): ZipDirectory => {
  const found = entries(bytes);
  if (found.length === 0) return EMPTY;
  const names = found.map(({ name }) => name);
  const container = containerOf(names);
  const kinds = new Set(names.map((name) => readFileName(name).kind));
  return {
    encrypted: found.some(({ encrypted }) => encrypted),
    macros: names.some((name) => /(?:^|\/)vbaproject\.bin$/i.test(name)),
    executable: container !== 'office' && DANGEROUS.some((kind) => kinds.has(kind as 'script')),
    nestedArchive: container === null && (kinds.has('archive') || kinds.has('blocked')),
    container,
  };
};
