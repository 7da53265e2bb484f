import { wordSet as words } from '../syntax/split-words.ts';
import { DIRECTION } from '../syntax/text-direction.ts';
import type { FileKind } from './file-magic.ts';

/** Gmail's list of blocked types, and what Outlook blocks besides, as rspamd has it, by what they are. */
const EXECUTABLE = words(
  'ade adp apk app appx appxbundle bat cab chm cmd com cpl diagcab diagcfg diagpkg dll dmg ex ex_ ' +
    'exe gadget hta img ins iso isp jar jnlp lib mde msc msi msix msixbundle msp mst nsh ocx pif pkg ' +
    'msu scr sct shb sys vhd vhdx vxd xll',
);
const SCRIPT = words(
  'csh inf ksh shs xbap js jse mjs ps1 ps1xml ps2 psc1 psd1 psm1 reg sh vb vbe vbs ws wsc wsf wsh',
);
/** What Microsoft 365 takes for malware by default, besides: Anti-malware protection, default file types. */
const BLOCKED = words('ace ani arj deb dex elf kext lha library lzh macho ppa rev uif xz z');
const SHORTCUT = words(
  'lnk url scf desktop webloc appref-ms library-ms searchconnector-ms settingcontent-ms theme webpnp website xnk',
);
const MACRO = words('docm dotm xlsm xltm xlam xlsb pptm potm ppam ppsm sldm');
const ARCHIVE = words('zip rar 7z gz tgz bz2 tar');
const HTML = words('html htm xhtml shtml mht mhtml');

/** Extensions people take for harmless, put in front of the real one. */
const DECOY = words(
  'pdf doc docx xls xlsx ppt pptx txt rtf csv jpg jpeg png gif bmp mp3 mp4 avi mov html htm zip',
);

/** Media types that go with an extension; others are not judged. */
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

/** What an attachment's name says. Only `extension` may be shown. */
export interface FileName {
  /** `[a-z0-9]{1,10}`, or null; of a dotfile, all of whose name would be it, null. */
  readonly extension: string | null;
  readonly kind: FileKind | 'macro' | 'blocked' | null;
  /** A harmless extension in front of a dangerous one. */
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
  // Windows drops dots and spaces at the end: `invoice.exe. ` is run all the same.
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

/** The bytes are of a type that does not go with the extension. */
export const contradicts = (extension: string | null, detectedType: string | null): boolean => {
  const expected = extension === null ? undefined : EXPECTED.get(extension);
  return expected !== undefined && detectedType !== null && !expected.has(detectedType);
};
