/**
 * Makes keys, signs emails with DKIM (RFC 6376) and adds ARC sets (RFC 8617), in relaxed/relaxed,
 * independently of the library that verifies them.
 */

import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface Mail {
  /** The header fields, each as `Name: value`, from the top. */
  readonly fields: readonly string[];
  /** The body. It ends with CRLF, without space at the end of a line or a blank line at its end. */
  readonly body: string;
}

export interface KeyPair {
  readonly privateKey: KeyObject;
  /** The value of `p=`. */
  readonly p: string;
  readonly algorithm: 'rsa' | 'ed25519';
}

export function makeRsaKey(bits = 1024): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const p = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  return { privateKey, p, algorithm: 'rsa' };
}

export function makeEd25519Key(): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  // The bare key, which ends the SPKI structure (RFC 8463 §4.2).
  const p = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');
  return { privateKey, p, algorithm: 'ed25519' };
}

export const toBytes = ({ fields, body }: Mail): Buffer =>
  Buffer.from([...fields, '', body].join('\r\n'), 'utf8');

/** Relaxed header canonicalization (RFC 6376 §3.4.2). */
const relax = (field: string): string => {
  const colon = field.indexOf(':');
  const value = field
    .slice(colon + 1)
    .replaceAll('\r\n', '')
    .replace(/[ \t]+/g, ' ')
    .trim();
  return `${field.slice(0, colon).trim().toLowerCase()}:${value}`;
};

const hash = (body: string, name: string) => createHash(name).update(body).digest('base64');

/**
 * Returns the signed fields. Of several with one name, the lowest comes first, then the next above (RFC 6376
 * §5.4.2).
 */
function signedFields(fields: readonly string[], names: readonly string[]): string[] {
  const left = fields.map((field) => ({ name: field.split(':')[0]?.trim().toLowerCase(), field }));
  return names.flatMap((name) => {
    const at = left.findLastIndex((one) => one.name === name.toLowerCase());
    return at < 0 ? [] : left.splice(at, 1).map(({ field }) => relax(field));
  });
}

function sealed(name: string, tags: Tags, signed: readonly string[], key: KeyPair): string {
  const list = Object.entries(tags)
    .flatMap(([tag, value]) => (value === null ? [] : [`${tag}=${value}`]))
    .join('; ');
  const bare = `${name}: ${list}; b=`;
  const data = Buffer.from([...signed, relax(bare)].join('\r\n'));
  const sha1 = key.algorithm === 'rsa' && tags.a === 'rsa-sha1';
  // Ed25519 signs the SHA-256 of the data (RFC 8463 §3).
  const b =
    key.algorithm === 'rsa'
      ? sign(sha1 ? 'sha1' : 'sha256', data, key.privateKey)
      : sign(null, createHash('sha256').update(data).digest(), key.privateKey);
  return `${bare}${b.toString('base64')}`;
}

/** `null` leaves a tag out. */
export type Tags = Readonly<Record<string, string | null>>;

const H = 'from:to:subject';

/** Returns the email with one more signature above it. */
export function signDkim(mail: Mail, key: KeyPair, tags: Tags = {}): Mail {
  const length = tags.l ? Number(tags.l) : undefined;
  const bh = hash(mail.body.slice(0, length), tags.a === 'rsa-sha1' ? 'sha1' : 'sha256');
  const a = `${key.algorithm}-sha256`;
  const all = { v: '1', a, c: 'relaxed/relaxed', d: 'example.com', s: 'k', h: H, bh, ...tags };
  const signed = signedFields(mail.fields, String(all.h ?? H).split(':'));
  return { ...mail, fields: [sealed('DKIM-Signature', all, signed, key), ...mail.fields] };
}

/** The three fields of one ARC set, as the sender of hop `i` would add them. */
export interface ArcSet {
  readonly seal: string;
  readonly signature: string;
  readonly results: string;
}

export interface SealOptions {
  readonly cv?: string;
  readonly sealTags?: Tags;
  readonly signatureTags?: Tags;
}

/** Returns the set of the next hop, over the sets before it (RFC 8617 §5.1). */
export function makeArcSet(
  mail: Mail,
  before: readonly ArcSet[],
  key: KeyPair,
  { cv, sealTags = {}, signatureTags = {} }: SealOptions = {},
): ArcSet {
  const i = String(before.length + 1);
  const results = `ARC-Authentication-Results: i=${i}; mx.example.net; spf=pass; dkim=fail; dmarc=none`;
  const whole = [...before.flatMap(fieldsOf), ...mail.fields];
  const by = { a: `${key.algorithm}-sha256`, d: 'example.net', s: 'k' };
  const bh = hash(mail.body, 'sha256');
  const tags = { i, ...by, c: 'relaxed/relaxed', h: H, bh, ...signatureTags };
  const signed = signedFields(whole, String(tags.h ?? H).split(':'));
  const signature = sealed('ARC-Message-Signature', tags, signed, key);
  const chain = [
    ...before.flatMap((set) => [set.results, set.signature, set.seal]),
    results,
    signature,
  ].map(relax);
  const own = cv ?? (before.length === 0 ? 'none' : 'pass');
  const seal = sealed('ARC-Seal', { i, ...by, cv: own, t: '1', ...sealTags }, chain, key);
  return { seal, signature, results };
}

export const fieldsOf = ({ seal, signature, results }: ArcSet): string[] => [
  seal,
  signature,
  results,
];

/** Returns the email with its chain, the newest set on top. */
export const withArc = (mail: Mail, sets: readonly ArcSet[]): Mail => ({
  ...mail,
  fields: [...sets.toReversed().flatMap(fieldsOf), ...mail.fields],
});
