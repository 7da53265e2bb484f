import { rsaBits, wrapRsaKey } from './rsa-bits.ts';

/** RFC 6376 §3.6.1: the public key in base64; white space within it is allowed and says nothing. */
export const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** What stands before the key in a SubjectPublicKeyInfo of Ed25519 (RFC 8410 §4). */
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** Octets of an Ed25519 key (RFC 8463 §4). */
export const ED25519_OCTETS = 32;

/** An Ed25519 key as RFC 8463 §4.2 wants it, without the structure it may be in; null: it is none. */
export function toBareEd25519(base64: string): string | null {
  const octets = Buffer.from(base64, 'base64');
  if (octets.length === ED25519_OCTETS) return base64;
  const isWrapped =
    octets.length === ED25519_SPKI.length + ED25519_OCTETS &&
    octets.subarray(0, ED25519_SPKI.length).equals(ED25519_SPKI);
  return isWrapped ? octets.subarray(ED25519_SPKI.length).toString('base64') : null;
}

/**
 * The sender's own key record with what is wrong removed: `v=` first, no `g=`, no `h=` or `s=` that
 * turns mail away, no `t=y`, no white space in the key, which is in the form all verifiers read. `null`
 * when the key itself is missing or damaged: then only the sender has it.
 *
 * @param flag another of `t=` that goes too
 */
export function correctKeyRecord(record: string, flag: 's' | null = null): string | null {
  // Quotes and backslashes belong to zone files; none is in the text of a key.
  const pairs = record
    .replace(/["\\]/g, '')
    .split(';')
    .filter((tag) => tag.includes('='))
    .map((tag): [string, string] => {
      const at = tag.indexOf('=');
      return [tag.slice(0, at).trim().toLowerCase(), tag.slice(at + 1).trim()];
    });
  const tags = new Map(pairs);
  // A key as its file has it, or without its tag.
  const data = tags.get('p') ?? (pairs.length === 0 ? record : '');
  const key = data.replace(/-----[A-Z ]+-----/g, '').replace(/\s+/g, '');
  // Of two keys only the sender knows which is right.
  if (!BASE64.test(key) || pairs.filter(([name]) => name === 'p').length > 1) return null;

  const bare = toBareEd25519(key);
  // What is no key, such as the first half of one, is not to be published again.
  if (bare === null && rsaBits(key) === null) return null;
  const type = bare ? 'ed25519' : 'rsa';
  const flags = (tags.get('t') ?? '')
    .split(':')
    .map((one) => one.trim())
    .filter((one) => !['', 'y', flag].includes(one.toLowerCase()));
  const t = flags.length > 0 ? [`t=${flags.join(':')}`] : [];
  return ['v=DKIM1', `k=${type}`, ...t, `p=${bare ?? wrapRsaKey(key) ?? key}`].join('; ');
}
