/**
 * Tests the JSON Web Tokens with which requests to a facilitator are authenticated, and that an
 * unusable secret is rejected without being shown.
 */

import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { cdpTokens } from '../../../src/adapters/facilitator/jwt.ts';

const request = {
  method: 'POST',
  url: new URL('https://api.cdp.coinbase.com/platform/v2/x402/settle'),
  now: 1_790_000_000_900,
  nonce: '0123456789abcdef',
} as const;

const ed25519 = generateKeyPairSync('ed25519');
const { d = '', x = '' } = ed25519.privateKey.export({ format: 'jwk' });
const seedAndPublic = Buffer.concat([d, x].map((part) => Buffer.from(part, 'base64url')));
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = (key: KeyObject) => key.export({ format: 'pem', type: 'pkcs8' }).toString();

const parse = (token: string) => {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
  return {
    header: read(header),
    claims: read(claims),
    text: Buffer.from(`${header}.${claims}`),
    signature: Buffer.from(signature, 'base64url'),
  };
};

describe.each([
  ['EdDSA', seedAndPublic.toString('base64'), ed25519.publicKey],
  ['EdDSA', `${seedAndPublic.toString('base64')}\n`, ed25519.publicKey],
  ['ES256', pem(p256.privateKey), p256.publicKey],
  ['ES256', p256.privateKey.export({ format: 'pem', type: 'sec1' }).toString(), p256.publicKey],
])('a token with %s', (alg, secret, key) => {
  const tokens = cdpTokens({ id: 'organizations/o/apiKeys/k', secret });
  const { header, claims, text, signature } = parse(tokens(request));

  test('names its key, its request and a validity of two minutes', () => {
    const kid = 'organizations/o/apiKeys/k';
    expect(header).toEqual({ alg, kid, typ: 'JWT', nonce: request.nonce });
    expect(claims).toEqual({
      sub: kid,
      iss: 'cdp',
      uris: ['POST api.cdp.coinbase.com/platform/v2/x402/settle'],
      iat: 1_790_000_000,
      nbf: 1_790_000_000,
      exp: 1_790_000_120,
    });
  });

  test('is signed', () => {
    expect(signature).toHaveLength(64);
    const hash = alg === 'ES256' ? 'sha256' : null;
    const checked = { key, dsaEncoding: 'ieee-p1363' } as const;
    expect(verify(hash, text, checked, signature)).toBe(true);
    expect(verify(hash, Buffer.concat([text, text]), checked, signature)).toBe(false);
  });
});

test.each([
  ['nothing', ''],
  ['a seed alone', seedAndPublic.subarray(0, 32).toString('base64')],
  ['a broken PEM', '-----BEGIN EC PRIVATE KEY-----\nsecret\n-----END EC PRIVATE KEY-----'],
  ['another curve', pem(generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).privateKey)],
  ['another algorithm', pem(ed25519.privateKey)],
])('%s is no secret, and the error does not repeat it', (_, secret) => {
  const read = () => cdpTokens({ id: 'k', secret });
  expect(read).toThrow('neither a PEM with a P-256 key nor base64 of 64 bytes');
});
