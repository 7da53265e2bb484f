/** Reads and corrects the record of a DKIM key. Takes and returns text; nothing is looked up. */

import { readTags } from '../syntax/tag-list.ts';

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const BIT_STRING = 0x03;

interface Element {
  readonly tag: number;
  readonly body: Uint8Array;
  readonly rest: Uint8Array;
}

/**
 * Returns the tag of a DER element, its stated length, and where its body starts, or null if there is no
 * header.
 */
function readHeader(der: Uint8Array) {
  const [tag, first] = der;
  if (tag === undefined || first === undefined) return null;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const start = 2 + lengthBytes;
  if (lengthBytes > 4 || der.length < start) return null;
  let length = first < 0x80 ? first : 0;
  for (const byte of der.subarray(2, start)) length = length * 256 + byte;
  return { tag, length, start };
}

/** Returns the first DER element, or null if it extends beyond the bytes. */
function readElement(der: Uint8Array): Element | null {
  const header = readHeader(der);
  if (header === null) return null;
  const { tag, start, length } = header;
  if (start + length > der.length) return null;
  return { tag, body: der.subarray(start, start + length), rest: der.subarray(start + length) };
}

/**
 * Returns the bits of an RSA modulus, from the base64 of a SubjectPublicKeyInfo or of the bare RSAPublicKey
 * that RFC 6376 §3.6.1 names, or null if it is neither.
 */
export function rsaBits(base64: string): number | null {
  const outer = readElement(Buffer.from(base64, 'base64'));
  if (outer?.tag !== SEQUENCE) return null;
  const first = readElement(outer.body);
  if (first?.tag === INTEGER) return bitsOf(first.body);
  if (first?.tag !== SEQUENCE) return null;
  const wrapped = readElement(first.rest);
  // A BIT STRING begins with the number of its unused bits.
  const key = wrapped?.tag === BIT_STRING ? readElement(wrapped.body.subarray(1)) : null;
  const modulus = key?.tag === SEQUENCE ? readElement(key.body) : null;
  return modulus?.tag === INTEGER ? bitsOf(modulus.body) : null;
}

/** AlgorithmIdentifier of rsaEncryption (RFC 3279 §2.3.1). */
const RSA_ENCRYPTION = Buffer.from('300d06092a864886f70d0101010500', 'hex');

/**
 * Most octets of the DER-encoded exponent, including its tag and length. In practice, exponents are 3 to
 * 65537.
 */
const MAX_EXPONENT = 10;

/**
 * Returns how many octets an RSA key claims to have and how many are present. Returns null if none is
 * missing, or if the bytes are not the beginning of an RSA key. The outermost length alone proves nothing,
 * because 32 random octets, such as an Ed25519 key, may begin like a structure.
 */
export function cutOff(base64: string): { readonly said: number; readonly there: number } | null {
  const der = Buffer.from(base64, 'base64');
  const outer = readHeader(der);
  if (outer?.tag !== SEQUENCE) return null;
  const said = outer.start + outer.length;
  return said > der.length && beginsRsaKey(der.subarray(outer.start), outer.length)
    ? { said, there: der.length }
    : null;
}

function beginsRsaKey(body: Uint8Array, length: number): boolean {
  const start = Math.min(body.length, RSA_ENCRYPTION.length);
  if (RSA_ENCRYPTION.subarray(0, start).equals(body.subarray(0, start))) return true;
  const modulus = readHeader(body);
  if (modulus?.tag !== INTEGER) return false;
  const exponent = length - modulus.start - modulus.length;
  return exponent > 2 && exponent <= MAX_EXPONENT;
}

const element = (tag: number, body: Uint8Array): Buffer => {
  const { length } = body;
  const octets = length < 0x100 ? [length] : [length >> 8, length & 0xff];
  const size = length < 0x80 ? octets : [0x80 | octets.length, ...octets];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};

/** Returns a bare RSAPublicKey wrapped in a SubjectPublicKeyInfo, or null if it is not bare. */
export function wrapRsaKey(base64: string): string | null {
  const key = Buffer.from(base64, 'base64');
  const outer = readElement(key);
  const isBare = outer?.tag === SEQUENCE && readElement(outer.body)?.tag === INTEGER;
  // Nobody has an RSA key of 65,535 octets.
  if (!isBare || outer.rest.length > 0 || key.length > 0xff00) return null;
  const bits = element(BIT_STRING, Buffer.concat([Buffer.from([0]), key]));
  return element(SEQUENCE, Buffer.concat([RSA_ENCRYPTION, bits])).toString('base64');
}

function bitsOf(integer: Uint8Array): number | null {
  const start = integer.findIndex((byte) => byte !== 0);
  const lead = integer[start];
  return lead === undefined ? null : (integer.length - start) * 8 - (Math.clz32(lead) - 24);
}

/** The public key in base64. White space within it is allowed and means nothing (RFC 6376 §3.6.1). */
export const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The bytes before the key in a SubjectPublicKeyInfo of Ed25519 (RFC 8410 §4). */
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** Octets of an Ed25519 key (RFC 8463 §4). */
export const ED25519_OCTETS = 32;

/**
 * Returns an Ed25519 key in the form of RFC 8463 §4.2, without any structure around it, or null if it is not
 * one.
 */
export function toBareEd25519(base64: string): string | null {
  const octets = Buffer.from(base64, 'base64');
  if (octets.length === ED25519_OCTETS) return base64;
  const isWrapped =
    octets.length === ED25519_SPKI.length + ED25519_OCTETS &&
    octets.subarray(0, ED25519_SPKI.length).equals(ED25519_SPKI);
  return isWrapped ? octets.subarray(ED25519_SPKI.length).toString('base64') : null;
}

/** A tag with a complete value. */
const TAG = String.raw`v=DKIM1|k=rsa|k=ed25519|h=sha256|s=email|s=\*|t=[ys](?::[ys])*`;

/** Tags that run into the next one because a semicolon is missing: `k=rsap=MII…`. */
const JOINED = new RegExp(String.raw`(^|;)\s*((?:(?:${TAG})[\s,]*(?=[vkhtsnp]=))+)`, 'gi');
const JOINED_TAG = new RegExp(String.raw`(${TAG})[\s,]*(?=[vkhtsnp]=|$)`, 'gi');

/** Returns the first tag after which the semicolon is missing, or `undefined` if none is. */
export const joinedTag = (record: string): string | undefined => {
  const [, , run = ''] = record.matchAll(JOINED).next().value ?? [];
  return run.matchAll(JOINED_TAG).next().value?.[1];
};

/** Returns the record with its semicolons. */
const separate = (record: string): string =>
  record.replace(
    JOINED,
    (_, before: string, run: string) => before + run.replace(JOINED_TAG, '$1;'),
  );

/** Fewest characters of a key in base64. */
const MIN_KEY_LENGTH = 40;

/** Returns the one piece of a record that is a key without its `p=`, or an empty text. */
function keyWithoutTag(record: string): string {
  const pieces = record.split(';').map((piece) => piece.replace(/\s+/g, ''));
  const keys = pieces.filter((piece) => piece.length >= MIN_KEY_LENGTH && BASE64.test(piece));
  return keys.length === 1 ? (keys[0] ?? '') : '';
}

/**
 * Returns the sender's own key record without its faults: `v=` first, no `g=`, no `h=` or `s=` that rejects
 * mail, no `t=y`, and a key without white space in the form that all verifiers read. Returns `null` if the
 * key itself is missing or damaged, because then only the sender can supply it.
 * @param flag another flag of `t=` to remove
 */
export function correctKeyRecord(record: string, flag: 's' | null = null): string | null {
  // Quotation marks and backslashes belong to zone files. The text of a key contains none.
  const plain = record.replace(/["\\]/g, '');
  const pairs = readTags(separate(plain)).flatMap(([name, value]) =>
    value === null ? [] : [[name.toLowerCase(), value] as const],
  );
  const tags = new Map(pairs);
  // A key exactly as it is in its file, or without its tag.
  const data = tags.get('p') ?? (pairs.length === 0 ? plain : keyWithoutTag(plain));
  const key = data.replace(/-----[A-Z ]+-----/g, '').replace(/\s+/g, '');
  // If there are two keys, only the sender knows which is right.
  if (!BASE64.test(key) || pairs.filter(([name]) => name === 'p').length > 1) return null;

  const bare = toBareEd25519(key);
  // A text that is not a key, such as the first half of one, must not be published again.
  if (bare === null && rsaBits(key) === null) return null;
  const type = bare ? 'ed25519' : 'rsa';
  const flags = (tags.get('t') ?? '')
    .split(':')
    .map((one) => one.trim())
    .filter((one) => !['', 'y', flag].includes(one.toLowerCase()));
  const t = flags.length > 0 ? [`t=${flags.join(':')}`] : [];
  const n = tags.get('n') ? [`n=${tags.get('n')}`] : [];
  return ['v=DKIM1', `k=${type}`, ...t, ...n, `p=${bare ?? wrapRsaKey(key) ?? key}`].join('; ');
}
