import { createPrivateKey, X509Certificate } from 'node:crypto';

/** null: it cannot be made. */
export const orNull = <T>(make: () => T): T | null => {
  try {
    return make();
  } catch {
    return null;
  }
};

/** The certificate that a PEM text begins with; null: it does not. */
export const readCertificatePem = (pem: string) => orNull(() => new X509Certificate(pem));

/** What is wrong with a certificate and its key, PEM; null: they are a pair. Nothing given is right. */
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
