/** Runs a certificate worker that trusts the mark authority of a test. */

import { X509Certificate } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import type {
  CertificateAnswer,
  CertificateTask,
} from '../../../src/adapters/certificate-worker/check.ts';
import { readCertificate } from '../../../src/adapters/mailauth/certificate.ts';

/** PEM of the mark authority that is trusted instead of the known ones. */
const rootCerts = [new X509Certificate(workerData as string)];

parentPort?.on('message', async (certificate: CertificateTask) => {
  const verdict = await readCertificate(certificate, { rootCerts }).catch(() => null);
  parentPort?.postMessage(verdict satisfies CertificateAnswer);
});
parentPort?.postMessage('ready' satisfies CertificateAnswer);
