import type { Parser } from './smtp-connection.ts';

/** Bytes that the library keeps of each chunk of a mail: the end of the data may begin there. */
const KEPT = 4;

/**
 * Memory of which nobody reads anything any more but who is given its last bytes. Left to the collector,
 * uploads make it go through the whole heap for every 30 MiB: a tenth of a second in which nobody is
 * answered.
 */
const own = new WeakSet<ArrayBufferLike>();

/** Has its memory to itself, so that nothing else is lost with it. */
const isAlone = ({ byteOffset, length, buffer }: Uint8Array) =>
  byteOffset === 0 && length === buffer.byteLength;

/** Bytes of the chunks before, which the parser will copy together with the next one; 0: it copies nothing. */
export const keptBefore = ({ _dataMode, _lastBytes }: Parser): number =>
  _dataMode && _lastBytes ? _lastBytes.length : 0;

/** Frees a chunk that was copied. */
export function freeCopied(chunk: Buffer): void {
  if (isAlone(chunk) && chunk.buffer instanceof ArrayBuffer) chunk.buffer.transfer(0);
}

/**
 * After a chunk: what the parser keeps of it is taken out, so that all the rest is its reader's.
 *
 * @param bytes of the chunk, with those it was copied together with
 */
export function takeOutKept(parser: Parser, bytes: number): void {
  const kept = parser._lastBytes;
  if (!parser._dataMode || !kept || kept.length !== KEPT) return;
  const { buffer, byteOffset } = kept;
  // Else the memory is shared with other chunks.
  if (buffer.byteLength !== bytes || byteOffset + KEPT !== bytes) return;
  own.add(buffer);
  parser._lastBytes = Buffer.from(kept);
}

/** Overwrites what was read, and frees its memory with its last bytes. */
export function wipeRead(chunk: Buffer): void {
  chunk.fill(0);
  const { buffer, byteOffset, length } = chunk;
  if (own.has(buffer) && byteOffset + length + KEPT === buffer.byteLength)
    (buffer as ArrayBuffer).transfer(0);
}
