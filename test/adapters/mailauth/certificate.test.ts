/** Tests the verification of BIMI mark certificates. */

import { expect, test } from 'vitest';
import { readCertificate } from '../../../src/adapters/mailauth/certificate.ts';
import { ARRIVAL } from '../../support/mail/inspection-environment.ts';
import {
  type MarkOptions,
  markCertificate,
  rootStore,
} from '../../support/mail/mark-certificate.ts';

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps" viewBox="0 0 9 9"><title>Shop</title></svg>';

const read = (pem: string, logo: string | null = svg, roots: unknown = rootStore) =>
  readCertificate(
    {
      pem: Buffer.from(pem),
      svg: logo === null ? null : Buffer.from(logo),
      domain: 'example.com',
      selector: 'default',
      at: ARRIVAL,
    },
    roots,
  );

const mark = (changes: Partial<MarkOptions> = {}) => markCertificate({ svg, ...changes });

test('a valid certificate is reported with its issuer, names and end', async () => {
  expect(await read(mark())).toEqual({
    type: 'vmc',
    issuer: 'Mark Authority',
    subjectNames: ['example.com'],
    notAfter: '2030-01-01T00:00:00.000Z',
    logoMatches: true,
    fault: null,
  });
});

test('a mark that is in use but not registered is a CMC', async () => {
  expect(await read(mark({ markType: 'Prior Use Mark' }))).toMatchObject({ type: 'cmc' });
});

test('without the logo there is nothing to compare', async () => {
  expect(await read(mark(), null)).toMatchObject({ logoMatches: null, fault: null });
});

test.each<[string, Partial<MarkOptions>, string]>([
  ['expired', { notAfter: '2026-11-01' }, 'the certificate has expired or is not yet valid'],
  ['for another name', { name: 'example.net' }, 'the certificate is for another name'],
  [
    'not for BIMI',
    { forBimi: false },
    'the certificate is not for BIMI (key usage 1.3.6.1.5.5.7.3.31)',
  ],
  [
    'around something that is not a logo',
    { svg: '<svg/>' },
    'the logo in the certificate is not SVG Tiny PS',
  ],
  [
    'for another logo',
    { svg: svg.replace('Shop', 'Other') },
    'the certificate is for another logo',
  ],
])('a certificate %s is not valid', async (_, changes, fault) => {
  expect(await read(mark(changes))).toMatchObject({ fault });
});

test('an unknown authority is not trusted', async () => {
  expect(await read(mark(), svg, null)).toMatchObject({
    fault: 'no known mark authority issued the certificate',
  });
});

test.each(['', 'x', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'])(
  '%j cannot be read',
  async (pem) => {
    expect((await read(pem)).fault).toEqual(expect.any(String));
  },
);
