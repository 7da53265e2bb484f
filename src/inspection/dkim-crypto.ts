/** Tries a published key on a DKIM signature: whether it verifies the signature, and whether it made it. */

import {
  constants,
  createHash,
  createPublicKey,
  type KeyObject,
  publicDecrypt,
  verify,
} from 'node:crypto';
import { correctKeyRecord } from '../analysis/dkim/correct-key.ts';
import { parseTagList } from '../analysis/syntax/tag-list.ts';
import type { SignedHeaders } from '../ports/reading.ts';

/** Longest key that is tried, in bits. Honest senders use keys of at most half that length. */
const MAX_BITS = 8192;

/** Returns whether a key verifies a signature over these fields. */
export function verifies(fields: readonly string[], signature: string, record: string): boolean {
  const key = toKey(record);
  if (key === null) return false;
  const data = Buffer.from(fields.join('\r\n'), 'latin1');
  const isRsa = key.asymmetricKeyType === 'rsa';
  try {
    // Ed25519 signs the SHA-256 of the data (RFC 8463 §3).
    return verify(
      isRsa ? 'rsa-sha256' : null,
      isRsa ? data : createHash('sha256').update(data).digest(),
      key,
      Buffer.from(signature, 'base64'),
    );
  } catch {
    return false;
  }
}

/** The DER prefix of the DigestInfo of a SHA-256 hash, up to the hash itself (RFC 8017 §9.2, note 1). */
const SHA256_DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex');

/** Length of an Ed25519 signature, in octets (RFC 8032 §5.1.6). */
const ED25519_SIGNATURE_OCTETS = 64;

/**
 * Returns whether a key made a signature, whatever the content was. An RSA key shows the hash that was
 * signed. Returns null if it cannot be told, as for Ed25519.
 */
export function isMadeWith({ signature }: SignedHeaders, record: string): boolean | null {
  const key = toKey(record);
  if (key === null) return null;
  const octets = Buffer.from(signature, 'base64');
  if (key.asymmetricKeyType !== 'rsa')
    return octets.length === ED25519_SIGNATURE_OCTETS ? null : false;
  try {
    const shown = publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, octets);
    return shown.subarray(0, SHA256_DIGEST_INFO.length).equals(SHA256_DIGEST_INFO);
  } catch {
    return false;
  }
}

/** The bytes before the key in a SubjectPublicKeyInfo of Ed25519 (RFC 8410 §4). */
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex');

function toKey(record: string): KeyObject | null {
  const tags = parseTagList(correctKeyRecord(record) ?? '');
  const octets = Buffer.from(tags.get('p') ?? '', 'base64');
  const der = tags.get('k') === 'ed25519' ? Buffer.concat([ED25519_SPKI, octets]) : octets;
  try {
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return (key.asymmetricKeyDetails?.modulusLength ?? 0) > MAX_BITS ? null : key;
  } catch {
    return null;
  }
}
