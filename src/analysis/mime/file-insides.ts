import type { FileKind } from './file-magic.ts';
import { readPdf } from './pdf.ts';
import { readZipDirectory, type ZipDirectory } from './zip-directory.ts';

/** What headers and directories of a file show; nothing is unpacked or run. */
export interface Insides extends Omit<ZipDirectory, 'container'> {
  /** Something would run by itself. */
  readonly scripted: boolean;
  /** Scripts of a PDF that wait for its reader. */
  readonly fieldScripts: boolean;
}

const NOTHING: Insides = {
  encrypted: false,
  macros: false,
  executable: false,
  nestedArchive: false,
  scripted: false,
  fieldScripts: false,
};

const utf16 = (text: string) => Buffer.from(text, 'utf16le');

/** Names of directory entries of an OLE file ([MS-CFB] §2.6.1, [MS-OVBA] §2.2.1). */
const OLE_MACROS = [utf16('_VBA_PROJECT'), utf16('VBA\0'), utf16('Macros\0')];
const OLE_ENCRYPTED = [utf16('EncryptedPackage'), utf16('EncryptionInfo')];

const holdsAny = (bytes: Buffer, wanted: readonly Buffer[]) =>
  wanted.some((one) => bytes.includes(one));

const MARKUP_BYTES = 256 * 1024;

const isScripted = (bytes: Buffer) => {
  const text = bytes.toString('latin1', 0, MARKUP_BYTES).toLowerCase();
  return (
    text.includes('<script') || text.includes('javascript:') || /\son[a-z]{3,20}\s*=/.test(text)
  );
};

/** RAR 4 archive flags and RAR 5 encryption header (the published format notes). */
const isEncryptedRar = (bytes: Buffer) => {
  const rar5 = bytes[6] === 0x01 && bytes[7] === 0x00;
  // RAR 4: HEAD_FLAGS of the archive header, bit 0x0080; of the first file, bit 0x0004.
  if (!rar5) return ((bytes[10] ?? 0) & 0x80) !== 0 || ((bytes[23] ?? 0) & 0x04) !== 0;
  // RAR 5: a header of type 4 comes first: CRC32, size, type.
  return bytes[13] === 0x04;
};

/** Looks into a file as far as its kind allows. */
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
    case 'svg':
      return { ...NOTHING, scripted: isScripted(bytes) };
    case 'archive':
      return { ...NOTHING, encrypted: bytes.subarray(0, 4).equals(RAR) && isEncryptedRar(bytes) };
    default:
      return NOTHING;
  }
};

const RAR = Buffer.from('Rar!');
