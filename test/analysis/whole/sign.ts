/** Signs emails with DKIM, independently of the library that verifies them. */

import { createHash, type KeyObject, sign } from 'node:crypto';

/** A DKIM signature to make, with its tags as RFC 6376 §3.5 names them. */
export interface Signature {
  readonly key: KeyObject;
  readonly d: string;
  readonly s: string;
  readonly a: 'rsa-sha256' | 'rsa-sha1' | 'ed25519-sha256';
  /** Names in `h=`, including repeated and absent ones. */
  readonly h: readonly string[];
  /** Canonicalization of the header. The body is always relaxed. */
  readonly c: 'relaxed' | 'simple';
  /** Additional tags: `t`, `x`, `i`. */
  readonly tags: Readonly<Record<string, string | number>>;
  /** Octets of the body for `l=`; `all` means as many as there are. */
  readonly length?: number | 'all';
}

/** Canonicalizes a header field (RFC 6376 §3.4.2). */
const relaxHeader = (field: string): string => {
  const colon = field.indexOf(':');
  const value = field
    .slice(colon + 1)
    .replaceAll('\r\n', '')
    .replace(/[ \t]+/g, ' ');
  return `${field.slice(0, colon).trim().toLowerCase()}:${value.trim()}`;
};

/** Canonicalizes a body (RFC 6376 §3.4.4). */
const relaxBody = (body: string): string => {
  const lines = body
    .replace(/[ \t]+/g, ' ')
    .replace(/ \r\n/g, '\r\n')
    .replace(/(?:\r\n)+$/, '');
  return lines === '' ? '' : `${lines}\r\n`;
};

const bytes = (text: string) => Buffer.from(text, 'latin1');

/** Folds a text into lines that are short enough for every rule of thumb. The signer includes the folds. */
const fold = (text: string) => text.replace(/.{70}/g, '$&\r\n ');

const foldNames = (names: readonly string[]) =>
  names.map((name, i) => (i > 0 && i % 4 === 0 ? `\r\n ${name}` : name)).join(':');

/**
 * Returns the signed fields. Of several with one name, the lowest comes first, then the next above (RFC 6376
 * §5.4.2).
 */
function signedFields(fields: readonly string[], names: readonly string[]): string[] {
  const left = fields.map((field) => ({ name: field.split(':', 1)[0]?.toLowerCase(), field }));
  return names.flatMap((name) => {
    const at = left.findLastIndex((one) => one.name === name);
    return at < 0 ? [] : left.splice(at, 1).map(({ field }) => field);
  });
}

/**
 * Returns the email with one more signature above it, made without the library that verifies. Each character
 * is one byte.
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
