/**
 * Memory that nobody but the reader of its chunk has. Left to the collector, uploads make it go through
 * the whole heap for every 30 MiB: a tenth of a second in which nobody is answered.
 */
const own = new WeakSet<ArrayBufferLike>();

/** Lets the reader of a chunk free its memory, unless other things are there as well. */
export function giveToReader({ byteOffset, length, buffer }: Buffer): void {
  if (byteOffset === 0 && length === buffer.byteLength) own.add(buffer);
}

/** Overwrites what was read, and frees its memory. May be called again. */
export function wipeRead(chunk: Buffer): void {
  const { buffer } = chunk;
  if (!(buffer instanceof ArrayBuffer) || buffer.detached) return;
  chunk.fill(0);
  if (own.has(buffer)) buffer.transfer(0);
}
