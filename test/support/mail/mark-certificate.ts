/**
 * Issues BIMI mark certificates for tests, and provides the store of roots with which they are valid.
 */

import { createHash, X509Certificate } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { extension, issue, nameOf, newKey } from './certificates.ts';
import { der, explicit, ia5, octets, oid, sequence, yes } from './der.ts';

const authority = newKey();
const subject = newKey();

const ISSUER = nameOf({ '2.5.4.10': 'Mark Authority', '2.5.4.3': 'Test Root' });

const certify = (
  key: Buffer,
  name: Buffer,
  dates: readonly [string, string],
  extensions: readonly Buffer[],
) => issue({ key, name, dates, extensions }, { name: ISSUER, key: authority.privateKey });

const root = certify(
  authority.publicKey,
  ISSUER,
  ['2026-01-01', '2036-01-01'],
  [extension('2.5.29.19', sequence(yes), true)],
);

/** A store of roots that replaces those of the real mark authorities. */
export const rootStore = { rootCerts: [new X509Certificate(root)] };

export interface MarkOptions {
  readonly svg: string;
  readonly name?: string;
  readonly markType?: string;
  readonly notAfter?: string;
  /** Names the purpose of brand indicators, key usage 1.3.6.1.5.5.7.3.31. */
  readonly forBimi?: boolean;
}

/** Returns a chain of a mark certificate and its root, in PEM, with the compressed logo in it (RFC 9399). */
export function markCertificate({
  svg,
  name = 'example.com',
  markType = 'Registered Mark',
  notAfter = '2030-01-01',
  forBimi = true,
}: MarkOptions): string {
  const hash = createHash('sha256').update(svg).digest();
  const url = `data:image/svg+xml;base64,${gzipSync(svg).toString('base64')}`;
  const details = sequence(
    ia5('image/svg+xml'),
    sequence(sequence(sequence(oid('2.16.840.1.101.3.4.2.1')), octets(hash))),
    sequence(ia5(url)),
  );
  // LogotypeExtn: subjectLogo [2] > direct [0] > image > imageDetails.
  const logotype = sequence(explicit(2, der(0xa0, sequence(sequence(details)))));
  const leaf = certify(
    subject.publicKey,
    nameOf({ '2.5.4.10': 'Shop', '1.3.6.1.4.1.53087.1.13': markType }),
    ['2026-01-01', notAfter],
    [
      extension('2.5.29.17', sequence(der(0x82, Buffer.from(name)))),
      extension('2.5.29.37', sequence(oid(forBimi ? '1.3.6.1.5.5.7.3.31' : '1.3.6.1.5.5.7.3.1'))),
      extension('1.3.6.1.5.5.7.1.12', logotype),
    ],
  );
  return leaf + root;
}
