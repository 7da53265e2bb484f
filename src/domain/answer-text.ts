/**
 * Reads the body of someone else's response to its end, or up to `most` bytes, because their server may be
 * broken or hostile.
 * @throws RangeError if it is longer
 */
export async function readCapped(
  { body }: { readonly body: AsyncIterable<Uint8Array> | null },
  most: number,
): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the rest.
  for await (const part of body ?? []) {
    size += part.length;
    if (size > most) throw new RangeError('too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** Returns the value of a JSON text, or `undefined` if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
