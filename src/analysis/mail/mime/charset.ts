/** Text out of bytes; what is wrong is named, and something readable comes out all the same. */
export interface Decoded {
  readonly text: string;
  readonly fault: 'unknown_charset' | 'invalid_bytes' | null;
}

const charsetName = (name: string): string | null => {
  const plain = name.trim().toLowerCase();
  return /^[a-z0-9][a-z0-9._:+-]{0,39}$/.test(plain) ? plain : null;
};

const newDecoder = (label: string, fatal: boolean) => {
  try {
    return new TextDecoder(label, { fatal });
  } catch {
    return null;
  }
};

/** A charset as the report shows it: one that exists, UTF-7 for its fame, else `unknown`. */
export const shownCharset = (name: string): string => {
  const plain = charsetName(name);
  const known = plain !== null && (plain === 'utf-7' || newDecoder(plain, false) !== null);
  return known ? plain : 'unknown';
};

const isAscii = (label: string) => label === 'us-ascii' || label === 'ascii';

/** Whether some byte has its high bit set. */
export const hasHighBytes = (bytes: Uint8Array): boolean => {
  for (let i = 0; i < bytes.length; i++) if ((bytes[i] as number) > 0x7f) return true;
  return false;
};

/** UTF-8 where the bytes are valid as such, else Windows-1252, in which every byte is something. */
export const decodeUndeclared = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
};

/** Decodes by the label of the WHATWG Encoding Standard; UTF-7 is not one, and is never decoded. */
export const decodeText = (bytes: Uint8Array, label: string): Decoded => {
  const name = charsetName(label);
  const strict = name === null ? null : newDecoder(name, true);
  if (name === null || strict === null)
    return { text: decodeUndeclared(bytes), fault: 'unknown_charset' };
  if (isAscii(name) && hasHighBytes(bytes))
    return { text: decodeUndeclared(bytes), fault: 'invalid_bytes' };
  try {
    return { text: strict.decode(bytes), fault: null };
  } catch {
    return { text: new TextDecoder(name).decode(bytes), fault: 'invalid_bytes' };
  }
};

/** The bytes of a header value, whose characters are bytes. */
export const bytesOf = (latin1: string): Uint8Array => Buffer.from(latin1, 'latin1');

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII is meant
const NOT_ASCII = /[^\x00-\x7f]/;

export const isEightBit = (text: string): boolean => NOT_ASCII.test(text);

/** A raw header value as text: 8-bit is UTF-8 (RFC 6532) where it can be. */
export const headerText = (latin1: string): string =>
  isEightBit(latin1) ? decodeUndeclared(bytesOf(latin1)) : latin1;
