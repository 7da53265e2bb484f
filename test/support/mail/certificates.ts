/** Makes keys and issues certificates for tests, such as those of an authority and of its hosts. */

import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import {
  bits,
  der,
  explicit,
  integer,
  octets,
  oid,
  sequence,
  set,
  text,
  utcTime,
  yes,
} from './der.ts';

export const newKey = () =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });

const RSA_SHA256 = sequence(oid('1.2.840.113549.1.1.11'), der(0x05));

/** Returns a certificate's name, from values by the ids of their types. */
export const nameOf = (attributes: Readonly<Record<string, string>>) =>
  sequence(
    ...Object.entries(attributes).map(([type, value]) => set(sequence(oid(type), text(value)))),
  );

export const extension = (id: string, value: Uint8Array, critical = false) =>
  sequence(oid(id), ...(critical ? [yes] : []), octets(value));

interface Subject {
  readonly key: Buffer;
  readonly name: Buffer;
  readonly dates: readonly [string, string];
  readonly extensions: readonly Buffer[];
}

/** Returns a certificate of version 3, in PEM. */
export function issue(
  { key, name, dates, extensions }: Subject,
  issuer: { readonly name: Buffer; readonly key: string },
): string {
  const body = sequence(
    explicit(0, integer(2)),
    integer(7),
    RSA_SHA256,
    issuer.name,
    sequence(utcTime(dates[0]), utcTime(dates[1])),
    name,
    key,
    explicit(3, sequence(...extensions)),
  );
  const base64 = sequence(body, RSA_SHA256, bits(sign('sha256', body, issuer.key))).toString(
    'base64',
  );
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}

const UNREADABLE = sequence(sequence(oid('1.3.6.1.4.1.99999.1')), bits(Buffer.of(1)));

const COMMON_NAME = '2.5.4.3';
const YEARS = ['2020-01-01', '2049-01-01'] as const;

/**
 * Creates an authority, which signs for hosts. All certificates share one serial number, because nobody
 * checks it.
 */
export function createAuthority(called = 'Test Authority') {
  const name = nameOf({ [COMMON_NAME]: called });
  const own = newKey();
  const by = { name, key: own.privateKey };
  const basic = extension('2.5.29.19', sequence(yes), true);
  const cert = issue({ key: own.publicKey, name, dates: YEARS, extensions: [basic] }, by);
  const leaf = newKey();
  return {
    cert,
    /** A certificate whose key nobody can read. */
    unreadable: issue({ key: UNREADABLE, name, dates: YEARS, extensions: [basic] }, by),
    /** Hash of every host's key, for TLSA 3 1 1. */
    keyHash: createHash('sha256').update(leaf.publicKey).digest('hex'),
    /** Returns the key and the certificate of a host, without the authority's own. */
    sign: (host: string, dates: readonly [string, string] = YEARS) => ({
      key: leaf.privateKey,
      cert: issue(
        {
          key: leaf.publicKey,
          name: nameOf({ [COMMON_NAME]: host }),
          dates,
          extensions: [extension('2.5.29.17', sequence(der(0x82, Buffer.from(host))))],
        },
        by,
      ),
    }),
  };
}
