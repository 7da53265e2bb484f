/** Checks a certificate and its key before they are used. */

import { createPrivateKey, X509Certificate } from 'node:crypto';

/** Returns null if it cannot be made. */
export const orNull = <T>(make: () => T): T | null => {
  try {
    return make();
  } catch {
    return null;
  }
};

/** Returns the certificate that a PEM text begins with, or null if it begins with none. */
export const readCertificatePem = (pem: string) => orNull(() => new X509Certificate(pem));

/**
 * Returns what is wrong with a certificate and its key, both PEM, or null if they are a pair. It is fine if
 * neither is given.
 */
export function faultOfKeyPair(
  cert: string | null,
  key: string | null,
): 'certificate' | 'key' | 'pair' | null {
  const certificate = cert === null ? undefined : readCertificatePem(cert);
  const privateKey = key === null ? undefined : orNull(() => createPrivateKey(key));
  if (certificate === null) return 'certificate';
  if (privateKey === null) return 'key';
  return certificate && privateKey && !certificate.checkPrivateKey(privateKey) ? 'pair' : null;
}
