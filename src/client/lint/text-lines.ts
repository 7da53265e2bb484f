import type { PlacedNode } from '../../analysis/mime/tree.ts';

/** A part's text, one character a byte, which knows the line of the file that each of them comes from. */
export interface PlacedText {
  readonly text: string;
  /** The line of a character; from 0, counted from the part's first line. */
  lineAt(index: number): number;
}

const SOFT_BREAK = /=[ \t]*$/;

const decodeQuotedPrintable = (line: string): string => {
  const isSoft = SOFT_BREAK.test(line);
  const text = line
    .replace(SOFT_BREAK, '')
    .replace(/=([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return isSoft ? text : `${text}\n`;
};

/** Groups of four characters give three bytes; what a line leaves over begins the next one. */
function decodeBase64(): (line: string) => string {
  let rest = '';
  return (line) => {
    const all = rest + line.replace(/[^A-Za-z0-9+/]/g, '');
    const whole = all.length - (all.length % 4);
    rest = all.slice(whole);
    return Buffer.from(all.slice(0, whole), 'base64').toString('latin1');
  };
}

const decoderOf = (encoding: string | null): ((line: string) => string) =>
  encoding === 'quoted-printable'
    ? decodeQuotedPrintable
    : encoding === 'base64'
      ? decodeBase64()
      : (line) => `${line}\n`;

/** Decodes a part line by line. */
export function placeText(bytes: Uint8Array, { start, end, encoding }: PlacedNode): PlacedText {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
  const decode = decoderOf(encoding);
  const starts: number[] = [];
  let text = '';
  for (const line of raw.split(/\r?\n/)) {
    starts.push(text.length);
    text += decode(line);
  }
  return { text, lineAt: (index) => starts.findLastIndex((at) => at <= index) };
}
