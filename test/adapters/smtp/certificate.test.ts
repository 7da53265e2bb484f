/** Tests the self-signed certificate that the SMTP server creates. */

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { selfSigned } from '../../../src/adapters/smtp/certificate.ts';

const NOW = Date.UTC(2026, 10, 20, 10);

test('a self-signed pair belongs together, is for the host, and valid for years', async () => {
  const { key, cert } = await selfSigned('mx.example.net', NOW);
  const certificate = new X509Certificate(cert);
  expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(certificate.verify(certificate.publicKey)).toBe(true);
  expect(certificate.checkIssued(certificate)).toBe(true);
  expect(certificate.checkHost('mx.example.net')).toBe('mx.example.net');
  expect(certificate.checkHost('example.net')).toBeUndefined();
  expect(certificate.subject).toBe('CN=mx.example.net');
  expect(certificate.subjectAltName).toBe('DNS:mx.example.net');
  expect(new Date(certificate.validFrom).getTime()).toBe(NOW - 86_400_000);
  expect(new Date(certificate.validTo).getTime()).toBe(NOW + 3650 * 86_400_000);
});

test('two pairs share neither key nor serial number', async () => {
  const [one, other] = await Promise.all([
    selfSigned('a.example', NOW),
    selfSigned('a.example', NOW),
  ]);
  expect(one.key).not.toBe(other.key);
  expect(new X509Certificate(one.cert).serialNumber).not.toBe(
    new X509Certificate(other.cert).serialNumber,
  );
});

test('a long name keeps the lengths correct', async () => {
  const name = `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.example`;
  const { cert } = await selfSigned(name, NOW);
  expect(new X509Certificate(cert).checkHost(name)).toBe(name);
});
