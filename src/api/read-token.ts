/** Makes the secret tokens that open reports, and checks them against their hashes. */

import { createHash, timingSafeEqual } from 'node:crypto';
import type { Random } from '../ports/ambient.ts';

/** 256 bits, as many as the stored hash of the token has. */
const TOKEN_BYTES = 32;

/** Makes a secret for one test, in base64url: 43 characters. */
export const newReadToken = (random: Random) =>
  Buffer.from(random(TOKEN_BYTES)).toString('base64url');

/**
 * Returns the part of a token that is kept: its SHA-256 in lower-case hex. A random secret needs no salt.
 */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

/** Returns whether the token matches the hash, in a time that does not depend on where they differ. */
export const fitsHash = (token: string, tokenSha256: string) =>
  timingSafeEqual(Buffer.from(hashToken(token)), Buffer.from(tokenSha256));
