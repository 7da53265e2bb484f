/**
 * Reads the bodies of other servers' HTTP responses up to a size limit, and parses texts as JSON without
 * throwing.
 */

/**
 * Reads the body of another server's HTTP response as text, up to `most` bytes, because that server may be
 * broken or hostile.
 * @throws RangeError if the body is longer
 */
export async function readCapped(
  { body }: { readonly body: AsyncIterable<Uint8Array> | null },
  most: number,
): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the rest of the response.
  for await (const part of body ?? []) {
    size += part.length;
    if (size > most) throw new RangeError('too large');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** Returns the value of a JSON text, or `undefined` if the text is not valid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
