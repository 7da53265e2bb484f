/**
 * Makes the DKIM keys and their records, the description of a correct signature to vary, and the authority
 * for the certificates of mail hosts, for the cases of complete emails.
 */

import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createAuthority } from '../../support/mail/certificates.ts';
import type { Signature } from './sign.ts';

/** The authority that signs the certificates of mail hosts. */
export const AUTHORITY = createAuthority();

interface Pair {
  readonly key: KeyObject;
  /** The value of `p=`. */
  readonly p: string;
}

const rsa = (modulusLength: number): Pair => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength });
  return {
    key: privateKey,
    p: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  };
};

const ed25519 = (): Pair => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  // The value is the bare key, which ends the SPKI structure (RFC 8463 §4.2).
  const p = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');
  return { key: privateKey, p };
};

/** Keys that are made once per file, because making an RSA key takes a tenth of a second. */
export const keys = {
  rsa2048: rsa(2048),
  rsa1024: rsa(1024),
  rsa512: rsa(512),
  ed25519: ed25519(),
  otherEd25519: ed25519(),
};

/** Returns the record of the public half of a key. */
export const recordOf = (key: KeyObject): string => {
  const pair = Object.values(keys).find((one) => one.key === key);
  const type = key.asymmetricKeyType === 'ed25519' ? 'ed25519' : 'rsa';
  return `v=DKIM1; k=${type}; p=${pair?.p}`;
};

export const keyRecord = `v=DKIM1; k=rsa; p=${keys.rsa2048.p}`;

/** Every header worth signing, and From once more often than it occurs. */
export const SIGNED = [
  ...['from', 'from', 'to', 'subject', 'date', 'message-id', 'mime-version', 'content-type'],
  ...['reply-to', 'list-unsubscribe', 'list-unsubscribe-post'],
];

const right: Signature = {
  key: keys.rsa2048.key,
  d: 'example.com',
  s: 's1',
  a: 'rsa-sha256',
  h: SIGNED,
  c: 'relaxed',
  tags: {},
};

/** Returns a correct signature of `example.com`, with changes. */
export const signature = (changes: Partial<Signature> = {}): Signature => ({
  ...right,
  ...changes,
});
