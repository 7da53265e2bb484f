/** Makes a self-signed certificate for STARTTLS, if the operator has set none. */

import { generateKeyPair, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  Certificate,
  Extension,
  Extensions,
  GeneralName,
  id_ce_subjectAltName,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509';

/** A private key and its certificate, both as PEM. */
export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

/** Size of the RSA key, in bits. Old clients that should appear in reports know no other kind of key. */
const RSA_BITS = 2048;

const DAY_MS = 86_400_000;

/**
 * Validity in days. It begins the day before, for clocks that are slow, and lasts longer than any process
 * runs.
 */
const VALID_DAYS = 3650;

const COMMON_NAME = '2.5.4.3';
const SHA256_WITH_RSA = '1.2.840.113549.1.1.11';

const generate = promisify(generateKeyPair);

/**
 * Makes a key and a self-signed certificate. STARTTLS between mail servers is opportunistic (RFC 7435), so
 * the sender checks no authority. The certificate contains only what a client needs (RFC 5280 §4.1).
 *
 * @param now milliseconds since 1970
 */
export async function selfSigned(hostname: string, now: number): Promise<KeyPair> {
  const pair = await generate('rsa', {
    modulusLength: RSA_BITS,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const algorithm = new AlgorithmIdentifier({ algorithm: SHA256_WITH_RSA, parameters: null });
  const value = new AttributeValue({ utf8String: hostname });
  const name = new Name([
    new RelativeDistinguishedName([new AttributeTypeAndValue({ type: COMMON_NAME, value })]),
  ]);
  const body = new TBSCertificate({
    version: Version.v3,
    serialNumber: serialNumber(),
    signature: algorithm,
    issuer: name,
    validity: new Validity({
      notBefore: new Date(now - DAY_MS),
      notAfter: new Date(now + VALID_DAYS * DAY_MS),
    }),
    subject: name,
    subjectPublicKeyInfo: AsnConvert.parse(pair.publicKey, SubjectPublicKeyInfo),
    extensions: new Extensions([
      new Extension({ extnID: id_ce_subjectAltName, extnValue: alternativeName(hostname) }),
    ]),
  });
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(body)), pair.privateKey);
  const certificate = new Certificate({
    tbsCertificate: body,
    signatureAlgorithm: algorithm,
    signatureValue: toArrayBuffer(signature),
  });
  return { key: pair.privateKey, cert: toPem(AsnConvert.serialize(certificate)) };
}

const alternativeName = (hostname: string) =>
  new OctetString(
    AsnConvert.serialize(new SubjectAlternativeName([new GeneralName({ dNSName: hostname })])),
  );

/** Returns a random serial number that is positive and has no leading zero byte. */
function serialNumber(): ArrayBuffer {
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return toArrayBuffer(serial);
}

const toArrayBuffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

const toPem = (certificate: ArrayBuffer) =>
  [
    '-----BEGIN CERTIFICATE-----',
    ...(Buffer.from(certificate)
      .toString('base64')
      .match(/.{1,64}/g) ?? []),
    '-----END CERTIFICATE-----',
    '',
  ].join('\n');
