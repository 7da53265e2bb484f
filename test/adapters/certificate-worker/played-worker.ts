/**
 * Stands in for the certificate worker in tests, and hangs, crashes or answers as the domain in the task
 * says.
 */

import { parentPort } from 'node:worker_threads';
import type { CertificateTask } from '../../../src/adapters/certificate-worker/check.ts';

parentPort?.on('message', ({ domain }: CertificateTask) => {
  if (domain === 'spin') for (;;);
  if (domain === 'exit') process.exit(1);
  parentPort?.postMessage({ issuer: domain });
});
parentPort?.postMessage('ready');
