/** Encodes and decodes the `PAYMENT-*` headers of x402, which contain JSON in base64. */

/**
 * Matches standard base64 with `+` and `/` (RFC 4648 §4). Like the official decoders, we accept it without
 * padding and reject the URL-safe alphabet.
 */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Returns the value of a `PAYMENT-*` header: the JSON of `content` in UTF-8, in standard base64. */
export function encodeHeader(content: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/**
 * The reason why a header cannot be decoded, worded as the rest of a sentence that begins with the header's
 * name.
 */
export interface HeaderFault {
  readonly fault: string;
}

/**
 * Returns the JSON in a `PAYMENT-*` header, or why it contains none. Accepts and rejects the same values as
 * the official decoders.
 */
export function readHeader(value: string): { readonly content: unknown } | HeaderFault {
  if (value === '') return { fault: 'is empty' };
  if (!BASE64.test(value)) {
    const at = value.search(/[^A-Za-z0-9+/]/);
    const hint = /^[A-Za-z0-9_-]+=*$/.test(value) ? '. It uses the URL-safe alphabet' : '';
    return { fault: `is not standard base64: character ${at + 1} does not belong to it${hint}` };
  }
  let text: string;
  try {
    const bytes = Uint8Array.from(atob(value), (one) => one.charCodeAt(0));
    text = new TextDecoder().decode(bytes);
  } catch {
    return { fault: `is not base64: its length, ${value.length} characters, is not possible` };
  }
  try {
    return { content: JSON.parse(text) };
  } catch {
    return { fault: 'is base64, but does not contain JSON' };
  }
}

/** Returns the JSON in a `PAYMENT-*` header, or `undefined` if it is not base64 or not JSON. */
export function decodeHeader(value: string): unknown {
  const read = readHeader(value);
  return 'content' in read ? read.content : undefined;
}
