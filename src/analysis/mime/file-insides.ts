/**
 * Looks inside attached files for scripts, macros, programs, nested archives, encryption, and pages that
 * redirect or ask for a password, without running anything or unpacking archives.
 */

import { inflateSync } from 'node:zlib';
import { MAX_ARCHIVE_ENTRIES, MAX_PDF_OBJECT_STREAMS, MAX_PDF_STREAM_BYTES } from '../limits.ts';
import { type FileKind, readFileName } from './file-types.ts';
import { isScripted, leadsAway } from './markup.ts';

/** The scripts and programs that a PDF would run. None of them is run here. */
interface PdfActions {
  /** True if a script or a program starts when the file is opened. */
  readonly onOpen: boolean;
  /** True if the file contains any script, for example in a form that adds up its fields. */
  readonly scripts: boolean;
}

/**
 * Matches an object stream, which contains packed objects. Acrobat writes most objects into such streams (ISO
 * 32000-1 §7.5.7).
 */
const OBJECT_STREAM = /\/Type\s{0,8}\/ObjStm/;

/**
 * Returns the objects in an object stream, or an empty text if they cannot be unpacked within the size limit.
 */
function unpack(packed: Uint8Array): string {
  try {
    return inflateSync(packed, { maxOutputLength: MAX_PDF_STREAM_BYTES }).toString('latin1');
  } catch {
    return '';
  }
}

/** Returns all objects in a PDF, including packed ones, but without the data of images and pages. */
function objectsOf(bytes: Buffer, unpacks: boolean): string {
  const text = bytes.toString('latin1');
  const pieces: string[] = [];
  let unpacked = 0;
  for (let at = 0; at < text.length; ) {
    const stream = text.indexOf('stream', at);
    const end = stream === -1 ? -1 : text.indexOf('endstream', stream);
    const dictionary = text.slice(at, stream === -1 ? undefined : stream);
    pieces.push(dictionary);
    if (end === -1) break;
    const isPacked =
      unpacks && OBJECT_STREAM.test(dictionary.slice(dictionary.lastIndexOf(' obj')));
    if (isPacked && unpacked++ < MAX_PDF_OBJECT_STREAMS) {
      const from =
        stream + 'stream'.length + (text.startsWith('\r\n', stream + 'stream'.length) ? 2 : 1);
      pieces.push(unpack(bytes.subarray(from, end)));
    }
    at = end + 'endstream'.length;
  }
  // Any character of a name may be written as its hexadecimal code (ISO 32000-1 §7.3.5).
  return pieces
    .join('\n')
    .replace(/#([0-9a-f]{2})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
}

const SCRIPT = /\/(?:JavaScript|JS)(?![A-Za-z0-9])/;
const LAUNCH = /\/S\s{0,8}\/Launch(?![A-Za-z0-9])/;
const OPEN_REFERENCE = /\/OpenAction\s{1,8}(\d{1,10})\s{1,8}\d{1,10}\s{1,8}R/;

/**
 * Patterns for scripts that start on their own. Each pattern must match within the given number of
 * characters, counted from the start of the name.
 */
const OPENERS: readonly (readonly [name: string, within: number, holds: RegExp])[] = [
  ['/OpenAction', 200, /^\/OpenAction\s{0,8}<<[\s\S]*\/(?:JavaScript|JS|Launch)(?![A-Za-z0-9])/],
  // Scripts that the catalog lists by name run when the document is opened (ISO 32000-1 §7.7.4).
  ['/JavaScript', 60, /^\/JavaScript\s{0,8}(?:\d{1,10}\s{1,8}\d{1,10}\s{1,8}R|<<)/],
  // An action under the key O of a page's `/AA` dictionary runs when the page is opened (ISO 32000-1
  // §12.6.3).
  ['/AA', 200, /^\/AA\s{0,8}<<\s{0,8}\/O(?![A-Za-z])[\s\S]*\/(?:JavaScript|JS)(?![A-Za-z0-9])/],
];

/** Number of occurrences of each name that are examined. Documents contain most of these names only once. */
const MAX_PLACES = 1000;

function runsUnasked(text: string): boolean {
  return OPENERS.some(([name, within, holds]) => {
    let at = text.indexOf(name);
    for (let places = 0; at !== -1 && places < MAX_PLACES; places++) {
      if (holds.test(text.slice(at, at + within))) return true;
      at = text.indexOf(name, at + name.length);
    }
    return false;
  });
}

/**
 * Returns whether the object to which `/OpenAction` refers runs a script or a program. A packed object has no
 * number in front of it, so the whole text is searched for it.
 */
function opensScript(text: string): boolean {
  const number = OPEN_REFERENCE.exec(text)?.[1];
  if (number === undefined) return false;
  const at = text.search(new RegExp(`(?:^|[^0-9])${number}\\s{1,8}\\d{1,10}\\s{1,8}obj`));
  const object = at === -1 ? text : (text.slice(at).split('endobj', 1)[0] ?? '');
  return SCRIPT.test(object) || LAUNCH.test(object);
}

/** Reads the actions of a PDF. `unpacks` says whether its object streams are examined too. */
function readPdf(bytes: Buffer, unpacks: boolean): PdfActions {
  const text = objectsOf(bytes, unpacks);
  const scripts = SCRIPT.test(text);
  const onOpen = LAUNCH.test(text) || (scripts && (runsUnasked(text) || opensScript(text)));
  return { onOpen, scripts };
}

/** Facts from the central directory of a ZIP file. Nothing is unpacked. */
interface ZipDirectory {
  readonly encrypted: boolean;
  readonly macros: boolean;
  readonly executable: boolean;
  readonly nestedArchive: boolean;
  /**
   * `office` for an Office document or a similar format, and `java` for a Java or Android program. Null for
   * an ordinary archive.
   */
  readonly container: 'office' | 'java' | null;
}

const EMPTY: ZipDirectory = {
  encrypted: false,
  macros: false,
  executable: false,
  nestedArchive: false,
  container: null,
};

/**
 * Length of the end record in bytes. A comment of at most 65,535 bytes follows the record (APPNOTE 4.3.16).
 */
const END_BYTES = 22;
const MAX_COMMENT = 65_535;
const END = 0x06054b50;
/** Signature of a directory entry (APPNOTE 4.3.12). */
const ENTRY = 0x02014b50;
const ENTRY_BYTES = 46;

const findEnd = (view: DataView): number => {
  const lowest = Math.max(0, view.byteLength - END_BYTES - MAX_COMMENT);
  for (let at = view.byteLength - END_BYTES; at >= lowest; at--)
    if (view.getUint32(at, true) === END) return at;
  return -1;
};

/** Returns the names and flags of the entries in a ZIP directory, as far as the directory can be read. */
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

/** Reads the directory at the end of a ZIP file, at most 10,000 entries. */
const readZipDirectory = (bytes: Uint8Array): ZipDirectory => {
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

/** Facts about the inside of a file, from its headers and directories. Nothing is run. */
export interface Insides extends Omit<ZipDirectory, 'container'> {
  /** True if a script in the file would run on its own. */
  readonly scripted: boolean;
  /** True if the scripts in a PDF run only when its reader does something. */
  readonly fieldScripts: boolean;
  /** True if the file is a page that opens another one, or asks for a password. */
  readonly leadsAway: boolean;
}

const NOTHING: Insides = {
  encrypted: false,
  macros: false,
  executable: false,
  nestedArchive: false,
  scripted: false,
  fieldScripts: false,
  leadsAway: false,
};

const utf16 = (text: string) => Buffer.from(text, 'utf16le');

/** Names of directory entries that show macros in an OLE file ([MS-CFB] §2.6.1, [MS-OVBA] §2.2.1). */
const OLE_MACROS = [utf16('_VBA_PROJECT'), utf16('VBA\0'), utf16('Macros\0')];
const OLE_ENCRYPTED = [utf16('EncryptedPackage'), utf16('EncryptionInfo')];

const holdsAny = (bytes: Buffer, wanted: readonly Buffer[]) =>
  wanted.some((one) => bytes.includes(one));

/**
 * Returns whether a RAR archive is encrypted, according to the archive flags of RAR 4 or the encryption
 * header of RAR 5 (published format notes).
 */
const isEncryptedRar = (bytes: Buffer) => {
  const rar5 = bytes[6] === 0x01 && bytes[7] === 0x00;
  // In RAR 4, HEAD_FLAGS of the archive header has bit 0x0080 set, or that of the first file has bit 0x0004
  // set.
  if (!rar5) return ((bytes[10] ?? 0) & 0x80) !== 0 || ((bytes[23] ?? 0) & 0x04) !== 0;
  // In RAR 5, the first header has type 4. The type follows the CRC32 and the size.
  return bytes[13] === 0x04;
};

/**
 * Examines the inside of a file, as far as its kind allows. `unpacks` says whether the object streams of a
 * PDF are examined too.
 */
export const lookInside = (source: Uint8Array, kind: FileKind, unpacks: boolean): Insides => {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  switch (kind) {
    case 'zip': {
      const { container, ...directory } = readZipDirectory(bytes);
      return { ...NOTHING, ...directory, executable: directory.executable || container === 'java' };
    }
    case 'ole':
      return {
        ...NOTHING,
        macros: holdsAny(bytes, OLE_MACROS),
        encrypted: holdsAny(bytes, OLE_ENCRYPTED),
      };
    case 'pdf': {
      const { onOpen, scripts } = readPdf(bytes, unpacks);
      const encrypted = bytes.includes('/Encrypt');
      return { ...NOTHING, encrypted, scripted: onOpen, fieldScripts: scripts && !onOpen };
    }
    case 'html':
      return { ...NOTHING, scripted: isScripted(bytes), leadsAway: leadsAway(bytes) };
    case 'svg':
      return { ...NOTHING, scripted: isScripted(bytes) };
    case 'archive':
      return { ...NOTHING, encrypted: bytes.subarray(0, 4).equals(RAR) && isEncryptedRar(bytes) };
    default:
      return NOTHING;
  }
};

const RAR = Buffer.from('Rar!');
