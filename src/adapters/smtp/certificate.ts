import { generateKeyPair, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';

/** A key and its certificate, PEM. */
export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

/** RSA: old clients that are to be reported know no other kind. */
const RSA_BITS = 2048;

const DAY_MS = 86_400_000;

/** Valid from the day before, for clocks that are slow, and longer than any process runs. */
const VALID_DAYS = 3650;

const generate = promisify(generateKeyPair);

/**
 * A self-signed pair, since STARTTLS between mail servers is opportunistic (RFC 7435): the sender
 * looks for no authority. X.509 v3 (RFC 5280 §4.1) in DER, as little of it as a client needs.
 *
 * @param now milliseconds since 1970
 */
export async function selfSigned(hostname: string, now: number): Promise<KeyPair> {
  const pair = await generate('rsa', {
    modulusLength: RSA_BITS,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const name = sequence(set(sequence(oid(COMMON_NAME), der(UTF8_STRING, Buffer.from(hostname)))));
  const certificate = sequence(
    explicit(0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, serialNumber()),
    SIGNATURE_ALGORITHM,
    name,
    sequence(utcTime(now - DAY_MS), utcTime(now + VALID_DAYS * DAY_MS)),
    name,
    pair.publicKey,
    explicit(3, sequence(subjectAlternativeName(hostname))),
  );
  const signature = sign('sha256', certificate, pair.privateKey);
  // A bit string begins with the number of unused bits.
  const bits = der(BIT_STRING, Buffer.concat([Buffer.of(0), signature]));
  return { key: pair.privateKey, cert: toPem(sequence(certificate, SIGNATURE_ALGORITHM, bits)) };
}

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const NULL = 0x05;
const OID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const SEQUENCE = 0x30;
const SET = 0x31;
/** GeneralName's `dNSName`, context-specific and primitive (RFC 5280 §4.2.1.6). */
const DNS_NAME = 0x82;

/** 2.5.4.3, 2.5.29.17 and 1.2.840.113549.1.1.11, already encoded. */
const COMMON_NAME = '550403';
const SUBJECT_ALT_NAME = '551d11';
const SHA256_WITH_RSA = '2a864886f70d01010b';

/** Tag, length, content (X.690 §8.1). */
function der(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 128) return Buffer.concat([Buffer.of(tag, body.length), body]);
  const hex = body.length.toString(16);
  const length = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.of(tag, 0x80 | length.length), length, body]);
}

const sequence = (...content: Buffer[]) => der(SEQUENCE, ...content);
const set = (content: Buffer) => der(SET, content);
const explicit = (number: number, content: Buffer) => der(0xa0 | number, content);
const oid = (hex: string) => der(OID, Buffer.from(hex, 'hex'));

const SIGNATURE_ALGORITHM = sequence(oid(SHA256_WITH_RSA), der(NULL));

const subjectAlternativeName = (hostname: string) =>
  sequence(
    oid(SUBJECT_ALT_NAME),
    der(OCTET_STRING, sequence(der(DNS_NAME, Buffer.from(hostname)))),
  );

/** Positive and without a leading zero byte. */
function serialNumber(): Buffer {
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return serial;
}

/** `YYMMDDHHMMSSZ`: right until 2049 (RFC 5280 §4.1.2.5). */
const utcTime = (at: number) =>
  der(
    UTC_TIME,
    Buffer.from(
      new Date(at)
        .toISOString()
        .replace(/^\d\d|\.\d+|\D/g, '')
        .concat('Z'),
    ),
  );

const toPem = (certificate: Buffer) =>
  [
    '-----BEGIN CERTIFICATE-----',
    ...(certificate.toString('base64').match(/.{1,64}/g) ?? []),
    '-----END CERTIFICATE-----',
    '',
  ].join('\n');
