/**
 * The text of somebody else's answer, read to its end or to `most` bytes: their server may be broken or hostile.
 *
 * @throws RangeError when it is longer
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

/** The value of a JSON text; `undefined`: it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
