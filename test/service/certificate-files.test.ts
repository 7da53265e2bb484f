/** Tests the renewal of the TLS certificate without a restart. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type KeyPair, selfSigned } from '../../src/adapters/smtp/certificate.ts';
import { watchCertificate } from '../../src/service/certificate-files.ts';
import { shownCertificate } from '../support/mail/shown-certificate.ts';
import { smtpEnvironment } from '../support/mail/smtp-environment.ts';
import { eventually } from '../support/process/eventually.ts';
import { keptLogger } from '../support/process/silent-logger.ts';

const [old, renewed] = (await Promise.all(
  ['old.example', 'renewed.example'].map((name) => selfSigned(name, Date.now())),
)) as [KeyPair, KeyPair];

async function watched(onRenewed: (pair: KeyPair) => void) {
  const folder = await mkdtemp(join(tmpdir(), 'certificate-'));
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  await writeFile(files.cert, old.cert);
  await writeFile(files.key, old.key);
  const { logger, lines } = keptLogger();
  const stop = watchCertificate({ files, inUse: old, onRenewed, logger, everyMs: 5 });
  onTestFinished(async () => {
    stop();
    await rm(folder, { recursive: true });
  });
  return {
    put: (name: keyof KeyPair, text: string) => writeFile(files[name], text),
    said: (what: string) =>
      eventually(() => expect(lines.map(({ msg }) => msg).join()).toContain(what)),
  };
}

test('a renewed certificate is shown to the next connection, without a restart', async () => {
  const server = await smtpEnvironment({ certificate: old.cert, privateKey: old.key });
  expect(await shownCertificate(server.port)).toBe('old.example');
  const { put, said } = await watched(server.useCertificate);
  await put('cert', renewed.cert);
  await put('key', renewed.key);
  await said('the renewed certificate is in use');
  expect(await shownCertificate(server.port)).toBe('renewed.example');
});

test('until both files belong together, the old certificate stays in use', async () => {
  const taken: KeyPair[] = [];
  const { put, said } = await watched((pair) => taken.push(pair));
  await put('cert', renewed.cert);
  await said('the old one stays in use');
  expect(taken).toEqual([]);
  await put('key', renewed.key);
  await said('the renewed certificate is in use');
  const trimmed = { cert: renewed.cert.trim(), key: renewed.key.trim() };
  expect(taken).toEqual([trimmed]);
});

test('garbage is not used', async () => {
  const taken: KeyPair[] = [];
  const { put, said } = await watched((pair) => taken.push(pair));
  await put('cert', 'garbage');
  await put('key', 'garbage');
  await said('the old one stays in use');
  expect(taken).toEqual([]);
});
