/**
 * Parses the public key in a DKIM key record, recognizes one that is cut off, and corrects faults of the
 * record without any lookups.
 */

import { readTags, textOfZoneLine, withoutZoneSigns } from '../syntax/tag-list.ts';

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const BIT_STRING = 0x03;

interface Element {
  readonly tag: number;
  readonly body: Uint8Array;
  readonly rest: Uint8Array;
}

/**
 * Returns the tag and the stated length of the first DER element, and the offset of its content. Returns null
 * if the header of the element is incomplete.
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

/** Returns the first DER element, or null if its stated length exceeds the available bytes. */
function readElement(der: Uint8Array): Element | null {
  const header = readHeader(der);
  if (header === null) return null;
  const { tag, start, length } = header;
  if (start + length > der.length) return null;
  return { tag, body: der.subarray(start, start + length), rest: der.subarray(start + length) };
}

/**
 * Returns the length of an RSA modulus in bits. The base64 may contain a SubjectPublicKeyInfo or the bare
 * RSAPublicKey that RFC 6376 §3.6.1 names. Returns null if it contains neither.
 */
export function rsaBits(base64: string): number | null {
  const outer = readElement(Buffer.from(base64, 'base64'));
  if (outer?.tag !== SEQUENCE) return null;
  const first = readElement(outer.body);
  if (first?.tag === INTEGER) return bitsOf(first.body);
  if (first?.tag !== SEQUENCE) return null;
  const wrapped = readElement(first.rest);
  // The first octet of a BIT STRING is the number of its unused bits.
  const key = wrapped?.tag === BIT_STRING ? readElement(wrapped.body.subarray(1)) : null;
  const modulus = key?.tag === SEQUENCE ? readElement(key.body) : null;
  return modulus?.tag === INTEGER ? bitsOf(modulus.body) : null;
}

/** The DER-encoded AlgorithmIdentifier of rsaEncryption (RFC 3279 §2.3.1). */
const RSA_ENCRYPTION = Buffer.from('300d06092a864886f70d0101010500', 'hex');

/**
 * Maximum length of the DER-encoded exponent, including its tag and length, in octets. Exponents in use are
 * between 3 and 65537.
 */
const MAX_EXPONENT = 10;

/**
 * Returns how many octets an RSA key should have and how many are present, if the key is cut off. Returns
 * null if no octet is missing, or if the data does not begin like an RSA key. The outermost length proves
 * nothing on its own, because 32 random octets, such as an Ed25519 key, may begin like a DER structure.
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

/**
 * Wraps a bare RSAPublicKey in a SubjectPublicKeyInfo. Returns null if the data is not a bare RSAPublicKey.
 */
export function wrapRsaKey(base64: string): string | null {
  const key = Buffer.from(base64, 'base64');
  const outer = readElement(key);
  const isBare = outer?.tag === SEQUENCE && readElement(outer.body)?.tag === INTEGER;
  // Two octets are enough for every DER length here, because no RSA key is longer than 65,280 octets.
  if (!isBare || outer.rest.length > 0 || key.length > 0xff00) return null;
  const bits = element(BIT_STRING, Buffer.concat([Buffer.from([0]), key]));
  return element(SEQUENCE, Buffer.concat([RSA_ENCRYPTION, bits])).toString('base64');
}

function bitsOf(integer: Uint8Array): number | null {
  const start = integer.findIndex((byte) => byte !== 0);
  const lead = integer[start];
  return lead === undefined ? null : (integer.length - start) * 8 - (Math.clz32(lead) - 24);
}

/**
 * Matches a public key in base64 after white space has been removed, which may occur anywhere in it (RFC 6376
 * §3.6.1).
 */
export const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The DER prefix of the SubjectPublicKeyInfo of an Ed25519 key, up to the key itself (RFC 8410 §4). */
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** Length of an Ed25519 public key, in octets (RFC 8463 §4). */
export const ED25519_OCTETS = 32;

/**
 * Returns an Ed25519 key without a structure around it, as RFC 8463 §4.2 requires, or null if the data is not
 * an Ed25519 key.
 */
export function toBareEd25519(base64: string): string | null {
  const octets = Buffer.from(base64, 'base64');
  if (octets.length === ED25519_OCTETS) return base64;
  const isWrapped =
    octets.length === ED25519_SPKI.length + ED25519_OCTETS &&
    octets.subarray(0, ED25519_SPKI.length).equals(ED25519_SPKI);
  return isWrapped ? octets.subarray(ED25519_SPKI.length).toString('base64') : null;
}

/** Matches a tag whose value is complete. */
const TAG = String.raw`v=DKIM1|k=rsa|k=ed25519|h=sha256|s=email|s=\*|t=[ys](?::[ys])*`;

/** Matches tags that run into the next tag because a semicolon is missing, as in `k=rsap=MII…`. */
const JOINED = new RegExp(String.raw`(^|;)\s*((?:(?:${TAG})[\s,]*(?=[vkhtsnp]=))+)`, 'gi');
const JOINED_TAG = new RegExp(String.raw`(${TAG})[\s,]*(?=[vkhtsnp]=|$)`, 'gi');

/** Returns the first tag that lacks a semicolon after it, or `undefined` if there is none. */
export const joinedTag = (record: string): string | undefined => {
  const [, , run = ''] = record.matchAll(JOINED).next().value ?? [];
  return run.matchAll(JOINED_TAG).next().value?.[1];
};

/** Returns the record with the missing semicolons added. */
const separate = (record: string): string =>
  record.replace(
    JOINED,
    (_, before: string, run: string) => before + run.replace(JOINED_TAG, '$1;'),
  );

/** Minimum length of a public key in base64, in characters. */
const MIN_KEY_LENGTH = 40;

/**
 * Returns the only part of a record that looks like a key without `p=`, or an empty string if there is none
 * or more than one.
 */
function keyWithoutTag(record: string): string {
  const pieces = record.split(';').map((piece) => piece.replace(/\s+/g, ''));
  const keys = pieces.filter((piece) => piece.length >= MIN_KEY_LENGTH && BASE64.test(piece));
  return keys.length === 1 ? (keys[0] ?? '') : '';
}

/**
 * Returns a corrected copy of the sender's own key record. The copy begins with `v=`, does not contain `g=`,
 * `h=`, `s=` or `t=y`, and has the key without white space in a form that all verifiers can read. Returns
 * `null` if the key itself is missing or damaged, because then only the sender can supply it.
 * @param flag another flag of `t=` to remove
 */
export function correctKeyRecord(record: string, flag: 's' | null = null): string | null {
  // Quotation marks and backslashes come from zone file syntax or a word processor, and never belong to a key.
  const plain = withoutZoneSigns(textOfZoneLine(record));
  const pairs = readTags(separate(plain)).flatMap(([name, value]) =>
    value === null ? [] : [[name.toLowerCase(), value] as const],
  );
  const tags = new Map(pairs);
  // A record without any tags may be a key copied from its PEM file.
  const data = tags.get('p') ?? (pairs.length === 0 ? plain : keyWithoutTag(plain));
  const key = data.replace(/-----[A-Z ]+-----/g, '').replace(/\s+/g, '');
  // If there are two `p=` tags, only the sender knows which key is right.
  if (!BASE64.test(key) || pairs.filter(([name]) => name === 'p').length > 1) return null;

  const bare = toBareEd25519(key);
  // Data that is not a complete key, such as the first half of one, must not be published again.
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
