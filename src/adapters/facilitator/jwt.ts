/** Makes the bearer tokens that the Coinbase facilitator requires. */

import { createPrivateKey, type KeyObject, sign } from 'node:crypto';

/** How long a token is valid, in seconds: long enough for one request and for clocks that differ. */
const LIFETIME_SECONDS = 120;

/** A key of the Coinbase Developer Platform. */
export interface CdpKey {
  readonly id: string;
  /** Base64 of the seed and the public key (Ed25519), or PEM (ES256). */
  readonly secret: string;
}

interface Request {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  /** The current time in milliseconds since 1970. */
  readonly now: number;
  /** A value that is unique for each token, in hex. */
  readonly nonce: string;
}

/**
 * Reads the key once. Returns a function that makes the bearer token for one request, bound to its method and
 * URL.
 *
 * @throws if the secret has neither form; the error's text contains no part of the secret
 */
export function cdpTokens({ id, secret }: CdpKey) {
  const key = readKey(secret);
  const alg = key.asymmetricKeyType === 'ed25519' ? 'EdDSA' : 'ES256';

  return ({ method, url, now, nonce }: Request): string => {
    const seconds = Math.floor(now / 1000);
    const header = { alg, kid: id, typ: 'JWT', nonce };
    const claims = {
      sub: id,
      iss: 'cdp',
      uris: [`${method} ${url.host}${url.pathname}`],
      iat: seconds,
      nbf: seconds,
      exp: seconds + LIFETIME_SECONDS,
    };
    const text = [header, claims].map((part) => base64url(JSON.stringify(part))).join('.');
    // The signature is r followed by s, not DER (RFC 7518 §3.4). Ed25519 does its own hashing.
    const signature = sign(alg === 'ES256' ? 'sha256' : null, Buffer.from(text), {
      key,
      dsaEncoding: 'ieee-p1363',
    });
    return `${text}.${base64url(signature)}`;
  };
}

function readKey(secret: string): KeyObject {
  try {
    if (secret.includes('-----BEGIN')) return readPem(secret);
    const bytes = Buffer.from(secret.trim(), 'base64');
    if (bytes.length !== 64) throw new Error('not 64 bytes');
    const [d, x] = [base64url(bytes.subarray(0, 32)), base64url(bytes.subarray(32))];
    return createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', d, x } });
  } catch {
    // The cause is left out, because we do not know what OpenSSL's texts contain.
    throw new Error('The CDP key secret is neither a PEM with a P-256 key nor base64 of 64 bytes.');
  }
}

function readPem(secret: string): KeyObject {
  const key = createPrivateKey(secret);
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('not P-256');
  return key;
}

const base64url = (bytes: string | Uint8Array) =>
  Buffer.from(bytes as string).toString('base64url');
