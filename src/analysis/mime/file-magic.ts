/** What kind of file it is, as far as a receiver's filter cares. */
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

export interface Magic {
  /** Media type of what the first bytes say. */
  readonly type: string;
  readonly kind: FileKind;
}

const ascii = (text: string) => [...text].map((char) => char.charCodeAt(0));

/** First bytes, where they stand, and what they mean. */
const SIGNATURES: readonly {
  readonly at: number;
  readonly bytes: readonly number[];
  readonly magic: Magic;
}[] = [
  { at: 0, bytes: ascii('MZ'), magic: { type: 'application/x-msdownload', kind: 'executable' } },
  {
    at: 0,
    bytes: [0x7f, ...ascii('ELF')],
    magic: { type: 'application/x-elf', kind: 'executable' },
  },
  {
    at: 0,
    bytes: [0xcf, 0xfa, 0xed, 0xfe],
    magic: { type: 'application/x-mach-binary', kind: 'executable' },
  },
  {
    at: 0,
    bytes: [0xca, 0xfe, 0xba, 0xbe],
    magic: { type: 'application/x-java-class', kind: 'executable' },
  },
  {
    at: 0,
    bytes: ascii('MSCF'),
    magic: { type: 'application/vnd.ms-cab-compressed', kind: 'archive' },
  },
  { at: 0, bytes: ascii('#!'), magic: { type: 'text/x-shellscript', kind: 'script' } },
  {
    at: 0,
    bytes: [0x4c, 0, 0, 0, 0x01, 0x14, 0x02, 0],
    magic: { type: 'application/x-ms-shortcut', kind: 'shortcut' },
  },
  { at: 0, bytes: [0x50, 0x4b, 0x03, 0x04], magic: { type: 'application/zip', kind: 'zip' } },
  { at: 0, bytes: [0x50, 0x4b, 0x05, 0x06], magic: { type: 'application/zip', kind: 'zip' } },
  {
    at: 0,
    bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1],
    magic: { type: 'application/x-ole-storage', kind: 'ole' },
  },
  { at: 0, bytes: ascii('Rar!'), magic: { type: 'application/vnd.rar', kind: 'archive' } },
  {
    at: 0,
    bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c],
    magic: { type: 'application/x-7z-compressed', kind: 'archive' },
  },
  { at: 0, bytes: [0x1f, 0x8b], magic: { type: 'application/gzip', kind: 'archive' } },
  { at: 0, bytes: ascii('BZh'), magic: { type: 'application/x-bzip2', kind: 'archive' } },
  {
    at: 0,
    bytes: [0xfd, ...ascii('7zXZ')],
    magic: { type: 'application/x-xz', kind: 'archive' },
  },
  { at: 7, bytes: ascii('**ACE**'), magic: { type: 'application/x-ace', kind: 'archive' } },
  { at: 2, bytes: ascii('-lh'), magic: { type: 'application/x-lzh', kind: 'archive' } },
  { at: 0, bytes: [0x60, 0xea], magic: { type: 'application/x-arj', kind: 'archive' } },
  { at: 0, bytes: [0x1f, 0x9d], magic: { type: 'application/x-compress', kind: 'archive' } },
  { at: 0, bytes: [0x1f, 0xa0], magic: { type: 'application/x-compress', kind: 'archive' } },
  { at: 257, bytes: ascii('ustar'), magic: { type: 'application/x-tar', kind: 'archive' } },
  {
    at: 32769,
    bytes: ascii('CD001'),
    magic: { type: 'application/x-iso9660-image', kind: 'archive' },
  },
  { at: 0, bytes: ascii('%PDF-'), magic: { type: 'application/pdf', kind: 'pdf' } },
  { at: 0, bytes: ascii('{\\rtf'), magic: { type: 'application/rtf', kind: 'rtf' } },
  { at: 0, bytes: [0x89, ...ascii('PNG')], magic: { type: 'image/png', kind: 'image' } },
  { at: 0, bytes: [0xff, 0xd8, 0xff], magic: { type: 'image/jpeg', kind: 'image' } },
  { at: 0, bytes: ascii('GIF8'), magic: { type: 'image/gif', kind: 'image' } },
  { at: 8, bytes: ascii('WEBP'), magic: { type: 'image/webp', kind: 'image' } },
  { at: 4, bytes: ascii('ftyp'), magic: { type: 'video/mp4', kind: 'other' } },
  { at: 0, bytes: ascii('BEGIN:VCALENDAR'), magic: { type: 'text/calendar', kind: 'other' } },
];

const matches = (bytes: Uint8Array, at: number, wanted: readonly number[]) =>
  wanted.every((byte, i) => bytes[at + i] === byte);

/** How far into a text its first element is looked for, in bytes. */
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

/** What the bytes themselves say; null: nothing known. */
export const detectMagic = (bytes: Uint8Array): Magic | null =>
  SIGNATURES.find(({ at, bytes: wanted }) => matches(bytes, at, wanted))?.magic ??
  sniffMarkup(bytes);
