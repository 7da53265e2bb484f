/** Overwrites the chunks of an email as soon as they have been read, and frees their memory. */

/**
 * Memory that only the reader of its chunk uses. If the garbage collector had to free it, uploads would make
 * it scan the whole heap for every 30 MiB, which takes a tenth of a second in which nobody gets a response.
 */
const own = new WeakSet<ArrayBufferLike>();

/** Lets the reader of a chunk free the chunk's memory, unless that memory contains other data too. */
export function giveToReader({ byteOffset, length, buffer }: Buffer): void {
  if (byteOffset === 0 && length === buffer.byteLength) own.add(buffer);
}

/** Overwrites a chunk that was read and frees its memory. It may be called again. */
export function wipeRead(chunk: Buffer): void {
  const { buffer } = chunk;
  if (!(buffer instanceof ArrayBuffer) || buffer.detached) return;
  chunk.fill(0);
  if (own.has(buffer)) buffer.transfer(0);
}
