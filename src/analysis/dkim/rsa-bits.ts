const SEQUENCE = 0x30;
const INTEGER = 0x02;
const BIT_STRING = 0x03;

interface Element {
  readonly tag: number;
  readonly body: Uint8Array;
  readonly rest: Uint8Array;
}

/** The first DER element, or null when it leaves the bytes. */
function readElement(der: Uint8Array): Element | null {
  const [tag, first] = der;
  if (tag === undefined || first === undefined) return null;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (lengthBytes > 4) return null;
  let length = first < 0x80 ? first : 0;
  for (const byte of der.subarray(2, 2 + lengthBytes)) length = length * 256 + byte;
  const start = 2 + lengthBytes;
  if (start + length > der.length) return null;
  return { tag, body: der.subarray(start, start + length), rest: der.subarray(start + length) };
}

/**
 * Bits of an RSA modulus, from the base64 of a SubjectPublicKeyInfo or of the bare RSAPublicKey that
 * RFC 6376 §3.6.1 names; null: it is neither.
 */
export function rsaBits(base64: string): number | null {
  const outer = readElement(Buffer.from(base64, 'base64'));
  if (outer?.tag !== SEQUENCE) return null;
  const first = readElement(outer.body);
  if (first?.tag === INTEGER) return bitsOf(first.body);
  if (first?.tag !== SEQUENCE) return null;
  const wrapped = readElement(first.rest);
  // A BIT STRING begins with the number of its unused bits.
  const key = wrapped?.tag === BIT_STRING ? readElement(wrapped.body.subarray(1)) : null;
  const modulus = key?.tag === SEQUENCE ? readElement(key.body) : null;
  return modulus?.tag === INTEGER ? bitsOf(modulus.body) : null;
}

/** Octets that the outermost structure says it has, and those that are there; null: none is missing. */
export function cutOff(base64: string): { readonly said: number; readonly there: number } | null {
  const der = Buffer.from(base64, 'base64');
  const [tag, first = 0] = der;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (tag !== SEQUENCE || lengthBytes > 4 || der.length < 2 + lengthBytes) return null;
  const length = lengthBytes === 0 ? first : der.readUIntBE(2, lengthBytes);
  const said = 2 + lengthBytes + length;
  return said > der.length ? { said, there: der.length } : null;
}

/** AlgorithmIdentifier of rsaEncryption (RFC 3279 §2.3.1). */
const RSA_ENCRYPTION = Buffer.from('300d06092a864886f70d0101010500', 'hex');

const element = (tag: number, body: Uint8Array): Buffer => {
  const { length } = body;
  const octets = length < 0x100 ? [length] : [length >> 8, length & 0xff];
  const size = length < 0x80 ? octets : [0x80 | octets.length, ...octets];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};

/** A bare RSAPublicKey in the SubjectPublicKeyInfo that holds one; null: it is not bare. */
export function wrapRsaKey(base64: string): string | null {
  const key = Buffer.from(base64, 'base64');
  const outer = readElement(key);
  const isBare = outer?.tag === SEQUENCE && readElement(outer.body)?.tag === INTEGER;
  // RSA of 65,535 octets is no key that anybody has.
  if (!isBare || outer.rest.length > 0 || key.length > 0xff00) return null;
  const bits = element(BIT_STRING, Buffer.concat([Buffer.from([0]), key]));
  return element(SEQUENCE, Buffer.concat([RSA_ENCRYPTION, bits])).toString('base64');
}

function bitsOf(integer: Uint8Array): number | null {
  const start = integer.findIndex((byte) => byte !== 0);
  const lead = integer[start];
  return lead === undefined ? null : (integer.length - start) * 8 - (Math.clz32(lead) - 24);
}
