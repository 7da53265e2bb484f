/** Watches the files of the TLS certificate, and puts a renewed one into use without a restart. */

import { readFile } from 'node:fs/promises';
import type { KeyPair } from '../adapters/smtp/certificate.ts';
import { faultOfKeyPair, readCertificatePem } from '../config/key-pair.ts';
import type { Logger } from '../telemetry/logger.ts';

/**
 * Pause between two checks of the files, in milliseconds. Certificates are renewed weeks before they expire.
 */
const LOOK_MS = 60_000;

const FAULTS = {
  certificate: 'The file does not begin with a certificate.',
  key: 'The file contains no private key without a passphrase.',
  pair: 'The certificate and the key do not belong together.',
};

interface Options {
  /** Null if the service makes the certificate itself. */
  readonly files: KeyPair | null;
  /** The pair in use. */
  readonly inUse: { readonly [Part in keyof KeyPair]: string | null };
  readonly onRenewed: (pair: KeyPair) => void;
  readonly logger: Logger;
  readonly everyMs?: number;
}

/**
 * Uses a renewed certificate without a restart, once both of its files exist and match each other. Until
 * then, the old certificate stays in use. Returns the function that stops watching.
 */
export function watchCertificate({ files, inUse, onRenewed, logger, everyMs = LOOK_MS }: Options) {
  if (!files) return () => {};
  const read = async (): Promise<KeyPair> => ({
    cert: (await readFile(files.cert, 'utf8')).trim(),
    key: (await readFile(files.key, 'utf8')).trim(),
  });
  let current = { cert: inUse.cert?.trim(), key: inUse.key?.trim() };

  async function look(): Promise<void> {
    const now = await read();
    if (current.cert === now.cert && current.key === now.key) return;
    const fault = faultOfKeyPair(now.cert, now.key);
    if (fault !== null) throw new Error(FAULTS[fault]);
    current = now;
    onRenewed(now);
    logger.info(
      { valid_to: readCertificatePem(now.cert)?.validTo },
      'the renewed certificate is in use',
    );
  }

  const timer = setInterval(() => {
    look().catch((err: unknown) =>
      logger.warn({ err }, 'the renewed certificate cannot be used; the old one stays in use'),
    );
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
