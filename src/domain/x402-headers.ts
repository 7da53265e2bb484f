/** RFC 4648 §4: `+ /`, padded. The official decoders refuse the URL-safe alphabet, and so do we. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The value of a `PAYMENT-*` header: standard base64 of the JSON in UTF-8. */
export function encodeHeader(content: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(content));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** The JSON in a `PAYMENT-*` header; `undefined` when it is not base64, not UTF-8 or not JSON. */
export function decodeHeader(value: string): unknown {
  if (!BASE64.test(value)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(value), (one) => one.charCodeAt(0));
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
