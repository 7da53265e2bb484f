import { createHash, hash } from 'node:crypto';

/** Of SHA-256, in bytes. */
const BLOCK = 64;

/**
 * HMAC-SHA-256 (RFC 2104) of what comes in pieces, from two plain hashes: the library's own takes
 * several times as long to be made.
 *
 * @param key at most a block
 */
export function createMac(key: Uint8Array) {
  const padded = (filler: number) => {
    const block = Buffer.alloc(BLOCK, filler);
    for (const [index, byte] of key.entries()) block[index] = byte ^ filler;
    return block;
  };
  const inner = createHash('sha256').update(padded(0x36));
  return {
    update: (bytes: Uint8Array): void => void inner.update(bytes),
    /** In hex. */
    digest: (): string => hash('sha256', Buffer.concat([padded(0x5c), inner.digest()])),
  };
}
