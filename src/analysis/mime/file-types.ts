/**
 * Recognizes the type of a file by its name and its first bytes, finds names that hide a dangerous type, and
 * tells whether name and bytes contradict each other.
 */

import { DIRECTION, wordSet as words } from '../syntax/words.ts';

/** The kind of a file, as far as it matters to a receiver's filter. */
export type FileKind =
  | 'executable'
  | 'script'
  | 'shortcut'
  | 'archive'
  | 'zip'
  | 'ole'
  | 'pdf'
  | 'rtf'
  | 'html'
  | 'svg'
  | 'image'
  | 'other';

interface Magic {
  /** Media type that the first bytes indicate. */
  readonly type: string;
  readonly kind: FileKind;
}

/** The offset of a signature, its bytes as Latin-1, and the type and kind that they indicate. */
const SIGNATURES: readonly (readonly [number, string, string, FileKind])[] = [
  [0, '\x7fELF', 'application/x-elf', 'executable'],
  [0, '\xcf\xfa\xed\xfe', 'application/x-mach-binary', 'executable'],
  [0, '\xca\xfe\xba\xbe', 'application/x-java-class', 'executable'],
  [0, 'MSCF', 'application/vnd.ms-cab-compressed', 'archive'],
  // Windows runs no file because of this line, and the extensions of scripts are judged on their own.
  [0, '#!', 'text/x-shellscript', 'other'],
  [0, '\x4c\x00\x00\x00\x01\x14\x02\x00', 'application/x-ms-shortcut', 'shortcut'],
  [0, '\x50\x4b\x03\x04', 'application/zip', 'zip'],
  [0, '\x50\x4b\x05\x06', 'application/zip', 'zip'],
  [0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'application/x-ole-storage', 'ole'],
  [0, 'Rar!', 'application/vnd.rar', 'archive'],
  [0, '\x37\x7a\xbc\xaf\x27\x1c', 'application/x-7z-compressed', 'archive'],
  [0, '\x1f\x8b', 'application/gzip', 'archive'],
  [0, 'BZh', 'application/x-bzip2', 'archive'],
  [0, '\xfd7zXZ', 'application/x-xz', 'archive'],
  [7, '**ACE**', 'application/x-ace', 'archive'],
  [2, '-lh', 'application/x-lzh', 'archive'],
  [0, '\x60\xea', 'application/x-arj', 'archive'],
  [0, '\x1f\x9d', 'application/x-compress', 'archive'],
  [0, '\x1f\xa0', 'application/x-compress', 'archive'],
  [257, 'ustar', 'application/x-tar', 'archive'],
  [32769, 'CD001', 'application/x-iso9660-image', 'archive'],
  [0, '%PDF-', 'application/pdf', 'pdf'],
  [0, '{\\rtf', 'application/rtf', 'rtf'],
  [0, '\x89PNG', 'image/png', 'image'],
  [0, '\xff\xd8\xff', 'image/jpeg', 'image'],
  [0, 'GIF8', 'image/gif', 'image'],
  [8, 'WEBP', 'image/webp', 'image'],
  [4, 'ftyp', 'video/mp4', 'other'],
  [0, 'BEGIN:VCALENDAR', 'text/calendar', 'other'],
];

const matches = (bytes: Uint8Array, at: number, wanted: string) =>
  [...wanted].every((char, i) => bytes[at + i] === char.charCodeAt(0));

/** Number of bytes at the start of a text that are searched for its first element. */
const SNIFF_BYTES = 1024;

const sniffMarkup = (bytes: Uint8Array): Magic | null => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SNIFF_BYTES))
    .toString('latin1')
    .replace(/^(?:ï»¿)?\s+|^ï»¿/, '')
    .toLowerCase();
  if (head.startsWith('<svg') || (head.startsWith('<?xml') && head.includes('<svg')))
    return { type: 'image/svg+xml', kind: 'svg' };
  if (/^<(?:!doctype html|html|head|body|script)[\s>]/.test(head))
    return { type: 'text/html', kind: 'html' };
  return null;
};

/** Size in bytes of the header of a Windows or DOS program, which contains zeros, unlike any text. */
const PROGRAM_HEADER = 64;

const isProgram = (bytes: Uint8Array): boolean =>
  matches(bytes, 0, 'MZ') && bytes.subarray(0, PROGRAM_HEADER).includes(0);

/** Returns the type that the first bytes of a file show, or null if they are unknown. */
export const detectMagic = (bytes: Uint8Array): Magic | null => {
  if (isProgram(bytes)) return { type: 'application/x-msdownload', kind: 'executable' };
  const [, , type, kind] = SIGNATURES.find(([at, wanted]) => matches(bytes, at, wanted)) ?? [];
  return type && kind ? { type, kind } : sniffMarkup(bytes);
};

/** File extensions on Gmail's blocklist and those that Outlook also blocks, grouped by kind as in rspamd. */
const EXECUTABLE = words(
  'ade adp apk app appx appxbundle bat cab chm cmd com cpl diagcab diagcfg diagpkg dll dmg ex ex_ ' +
    'exe gadget hta img ins iso isp jar jnlp lib mde msc msi msix msixbundle msp mst nsh ocx pif pkg ' +
    'msu scr sct shb sys vhd vhdx vxd xll',
);
const SCRIPT = words(
  'csh inf ksh shs xbap js jse mjs ps1 ps1xml ps2 psc1 psd1 psm1 reg sh vb vbe vbs ws wsc wsf wsh',
);
/**
 * File extensions that Microsoft 365 also treats as malware by default (Anti-malware protection, default file
 * types).
 */
const BLOCKED = words('ace ani arj deb dex elf kext lha library lzh macho ppa rev uif xz z');
const SHORTCUT = words(
  'lnk url scf desktop webloc appref-ms library-ms searchconnector-ms settingcontent-ms theme webpnp website xnk',
);
const MACRO = words('docm dotm xlsm xltm xlam xlsb pptm potm ppam ppsm sldm');
const ARCHIVE = words('zip rar 7z gz tgz bz2 tar');
const HTML = words('html htm xhtml shtml mht mhtml');

/** Extensions that people consider harmless, and that attackers place before the real one. */
const DECOY = words(
  'pdf doc docx xls xlsx ppt pptx txt rtf csv jpg jpeg png gif bmp mp3 mp4 avi mov html htm zip',
);

/** Media types that match an extension. Files with other extensions are not judged. */
const EXPECTED: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['pdf', words('application/pdf')],
  ['png', words('image/png')],
  ['jpg', words('image/jpeg')],
  ['jpeg', words('image/jpeg')],
  ['gif', words('image/gif')],
  ['webp', words('image/webp')],
  ['zip', words('application/zip')],
  ['docx', words('application/zip application/x-ole-storage')],
  ['xlsx', words('application/zip application/x-ole-storage')],
  ['pptx', words('application/zip application/x-ole-storage')],
  ['doc', words('application/x-ole-storage application/rtf application/zip')],
  ['xls', words('application/x-ole-storage')],
  ['ppt', words('application/x-ole-storage')],
  ['rtf', words('application/rtf')],
]);

/** Facts about the file name of an attachment. Only `extension` may be shown. */
export interface FileName {
  /**
   * The extension, if it consists of 1 to 10 letters and digits. Null otherwise, and for a dotfile, whose
   * whole name it would be.
   */
  readonly extension: string | null;
  readonly kind: FileKind | 'macro' | 'blocked' | null;
  /** True if a harmless extension comes before a dangerous one, as in `invoice.pdf.exe`. */
  readonly doubled: boolean;
  readonly directionOverride: boolean;
}

const kindOf = (extension: string): FileName['kind'] => {
  if (EXECUTABLE.has(extension)) return 'executable';
  if (SCRIPT.has(extension)) return 'script';
  if (SHORTCUT.has(extension)) return 'shortcut';
  if (MACRO.has(extension)) return 'macro';
  if (BLOCKED.has(extension)) return 'blocked';
  if (ARCHIVE.has(extension)) return 'archive';
  if (HTML.has(extension)) return 'html';
  return extension === 'svg' || extension === 'svgz' ? 'svg' : null;
};

const MAX_NAME_LENGTH = 4096;

const DANGEROUS: readonly FileName['kind'][] = ['executable', 'script', 'shortcut'];

export const readFileName = (name: string): FileName => {
  // Windows drops dots and spaces at the end of a name, so `invoice.exe. ` is run all the same.
  const plain = name.slice(-MAX_NAME_LENGTH).toLowerCase().replaceAll('\0', '').trimEnd();
  const parts = plain.split('.').map((part) => part.trim());
  while (parts.length > 1 && parts.at(-1) === '') parts.pop();
  const last = parts.length > 1 ? (parts.at(-1) ?? '') : '';
  const dotfile = parts.slice(0, -1).every((part) => part === '' || /[/\\]$/.test(part));
  const before = parts.length > 2 ? (parts.at(-2) ?? '') : '';
  const kind = kindOf(last);
  return {
    extension: !dotfile && /^[a-z0-9]{1,10}$/.test(last) ? last : null,
    kind,
    doubled: DECOY.has(before) && DANGEROUS.includes(kind),
    directionOverride: DIRECTION.test(name),
  };
};

/** Returns whether the type that a file's bytes show contradicts its extension. */
export const contradicts = (extension: string | null, detectedType: string | null): boolean => {
  const expected = extension === null ? undefined : EXPECTED.get(extension);
  return expected !== undefined && detectedType !== null && !expected.has(detectedType);
};
