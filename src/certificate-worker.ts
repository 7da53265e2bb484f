import { parentPort } from 'node:worker_threads';
import {
  type CertificateAnswer,
  type CertificateTask,
  READY,
} from './adapters/certificate-worker/check.ts';
import { readCertificate } from './adapters/mailauth/certificate.ts';

/** Judges BIMI certificates. One that breaks its reader has no verdict. */
parentPort?.on('message', async ({ number, certificate }: CertificateTask) => {
  const verdict = await readCertificate(certificate).catch(() => null);
  parentPort?.postMessage({ number, verdict } satisfies CertificateAnswer);
});
parentPort?.postMessage(READY);
