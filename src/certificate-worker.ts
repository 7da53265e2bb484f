/**
 * Reads and judges BIMI certificates in a worker thread. If a certificate makes the parser fail, the verdict
 * is `null`.
 */

import { parentPort } from 'node:worker_threads';
import type { CertificateAnswer, CertificateTask } from './adapters/certificate-worker/check.ts';
import { readCertificate } from './adapters/mailauth/certificate.ts';

parentPort?.on('message', async (certificate: CertificateTask) => {
  const verdict = await readCertificate(certificate).catch(() => null);
  parentPort?.postMessage(verdict satisfies CertificateAnswer);
});
parentPort?.postMessage('ready' satisfies CertificateAnswer);
