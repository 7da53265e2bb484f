import { createHash, type KeyObject, sign } from 'node:crypto';

/** One DKIM signature to make. Tags as RFC 6376 §3.5 names them. */
export interface Signature {
  readonly key: KeyObject;
  readonly d: string;
  readonly s: string;
  readonly a: 'rsa-sha256' | 'rsa-sha1' | 'ed25519-sha256';
  /** Names in `h=`, repetitions and absent ones too. */
  readonly h: readonly string[];
  /** Of the header; the body is always relaxed. */
  readonly c: 'relaxed' | 'simple';
  /** Tags besides: `t`, `x`, `i`. */
  readonly tags: Readonly<Record<string, string | number>>;
  /** Octets of the body for `l=`; `all`: as many as there are. */
  readonly length?: number | 'all';
}

/** RFC 6376 §3.4.2. */
const relaxHeader = (field: string): string => {
  const colon = field.indexOf(':');
  const value = field
    .slice(colon + 1)
    .replaceAll('\r\n', '')
    .replace(/[ \t]+/g, ' ');
  return `${field.slice(0, colon).trim().toLowerCase()}:${value.trim()}`;
};

/** RFC 6376 §3.4.4. */
const relaxBody = (body: string): string => {
  const lines = body
    .replace(/[ \t]+/g, ' ')
    .replace(/ \r\n/g, '\r\n')
    .replace(/(?:\r\n)+$/, '');
  return lines === '' ? '' : `${lines}\r\n`;
};

const bytes = (text: string) => Buffer.from(text, 'latin1');

/** Lines short enough for every rule of thumb: folds stand where the signer counts them in. */
const fold = (text: string) => text.replace(/.{70}/g, '$&\r\n ');

const foldNames = (names: readonly string[]) =>
  names.map((name, i) => (i > 0 && i % 4 === 0 ? `\r\n ${name}` : name)).join(':');

/** The lowest field of each name first, then the next above (RFC 6376 §5.4.2). */
function signedFields(fields: readonly string[], names: readonly string[]): string[] {
  const left = fields.map((field) => ({ name: field.split(':', 1)[0]?.toLowerCase(), field }));
  return names.flatMap((name) => {
    const at = left.findLastIndex((one) => one.name === name);
    return at < 0 ? [] : left.splice(at, 1).map(({ field }) => field);
  });
}

/**
 * The mail with one more signature above it, made without the library that verifies. Characters are
 * bytes.
 */
export function addSignature(
  mail: string,
  { key, d, s, a, h, c, tags, length }: Signature,
): string {
  const end = mail.indexOf('\r\n\r\n');
  const fields = mail.slice(0, end).split(/\r\n(?![ \t])/);
  const body = relaxBody(mail.slice(end + 4));
  const [algorithm = '', hash = ''] = a.split('-');
  const octets = length === 'all' ? body.length : length;
  const hashed = body.slice(0, octets);
  const bh = createHash(hash).update(bytes(hashed)).digest('base64');
  const all = octets === undefined ? tags : { ...tags, l: octets };
  const more = Object.entries(all).map(([name, value]) => ` ${name}=${value};`);
  const bare = [
    `DKIM-Signature: v=1; a=${a}; c=${c}/relaxed;`,
    ` d=${d}; s=${s};${more.join('')}`,
    ` h=${foldNames(h)};`,
    ` bh=${bh};`,
    ' b=',
  ].join('\r\n');
  const canonical = c === 'relaxed' ? relaxHeader : (field: string) => field;
  const data = bytes([...signedFields(fields, h), bare].map(canonical).join('\r\n'));
  const b =
    algorithm === 'rsa'
      ? sign(hash, data, key)
      : // RFC 8463 §3: Ed25519 signs the SHA-256 of the data.
        sign(null, createHash('sha256').update(data).digest(), key);
  return `${bare}${fold(b.toString('base64'))}\r\n${mail}`;
}
