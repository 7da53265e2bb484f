import { parentPort } from 'node:worker_threads';
import type { CertificateTask } from '../../../src/adapters/certificate-worker/check.ts';

/** Stands in for the real worker: the domain says what its certificate does to it. */
parentPort?.on('message', ({ domain }: CertificateTask) => {
  if (domain === 'spin') for (;;);
  if (domain === 'exit') process.exit(1);
  parentPort?.postMessage({ issuer: domain });
});
parentPort?.postMessage('ready');
