/** Checks that a TLS certificate and a private key are readable and belong together. */

import { createPrivateKey, X509Certificate } from 'node:crypto';

/** Returns the result of `make`, or null if it throws. */
export const orNull = <T>(make: () => T): T | null => {
  try {
    return make();
  } catch {
    return null;
  }
};

/** Returns the certificate at the beginning of a PEM text, or null if the text does not begin with one. */
export const readCertificatePem = (pem: string) => orNull(() => new X509Certificate(pem));

/**
 * Returns what is wrong with a certificate and its private key (both PEM), or null if they belong together. A
 * missing certificate or key is not a fault.
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
