/** Creates the secret read tokens that open reports, and compares tokens with stored hashes. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Random } from '../ports/ambient.ts';

/** Number of random bytes in a token: 256 bits, as many as its stored hash has. */
const TOKEN_BYTES = 32;

/** Returns a new secret for one test: 43 characters of base64url. */
export const newReadToken = (random: Random) =>
  Buffer.from(random(TOKEN_BYTES)).toString('base64url');

/**
 * Returns the hash of a token, which is stored instead of the token: SHA-256 in lower-case hex. It needs no
 * salt, because the token is random.
 */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

/** Returns whether a token matches a hash, in a time that does not depend on where they differ. */
export const fitsHash = (token: string, tokenSha256: string) =>
  timingSafeEqual(Buffer.from(hashToken(token)), Buffer.from(tokenSha256));
