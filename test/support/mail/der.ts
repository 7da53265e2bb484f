/** Encodes DER (X.690), just enough to write certificates for tests. */

/** Just enough DER (X.690) to write certificates for tests. */
export function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 128) return Buffer.concat([Buffer.of(tag, body.length), body]);
  const hex = body.length.toString(16);
  const length = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.of(tag, 0x80 | length.length), length, body]);
}

export const sequence = (...content: readonly Uint8Array[]) => der(0x30, ...content);
export const set = (...content: readonly Uint8Array[]) => der(0x31, ...content);
export const explicit = (number: number, ...content: readonly Uint8Array[]) =>
  der(0xa0 | number, ...content);
export const integer = (...octets: number[]) => der(0x02, Buffer.from(octets));
export const octets = (content: Uint8Array) => der(0x04, content);
export const bits = (content: Uint8Array) => der(0x03, Buffer.of(0), content);
export const text = (content: string) => der(0x0c, Buffer.from(content));
export const ia5 = (content: string) => der(0x16, Buffer.from(content));
export const yes = der(0x01, Buffer.of(0xff));

/** Encodes an OID such as `2.5.29.17`. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const base128 = (number: number): number[] => {
    const digits = [number & 0x7f];
    for (let left = number >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  };
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** Encodes UTCTime, which is correct until 2049 (RFC 5280 §4.1.2.5). */
export const utcTime = (at: string) =>
  der(
    0x17,
    Buffer.from(
      new Date(at)
        .toISOString()
        .replace(/^\d\d|\.\d+|\D/g, '')
        .concat('Z'),
    ),
  );
