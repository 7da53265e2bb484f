import { X509Certificate } from 'node:crypto';
import { readCertificate } from '../../../src/adapters/mailauth/certificate.ts';
import type { CheckCertificate } from '../../../src/ports/web.ts';

export type MarkJob = Parameters<CheckCertificate>[0] & {
  /** PEM of the mark authority that is believed in place of the known ones. */
  readonly root: string;
};

/** The worker's judgement of BIMI certificates, with a mark authority of our own. */
export const checkCertificate = ({ root, ...certificate }: MarkJob) =>
  readCertificate(certificate, { rootCerts: [new X509Certificate(root)] });
