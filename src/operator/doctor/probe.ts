/**
 * Probes the machine for the doctor: reads the greeting of port 25, the free disk space and the certificate.
 */

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { readCertificatePem } from '../../config/key-pair.ts';
import type { CertificateFacts } from './judge-machine.ts';

/** Time limit in milliseconds, for a port that silently drops whatever is sent to it. */
const CONNECT_MS = 2_000;

/** Returns the first line that a mail server sends, or `null` if nothing responds. */
export async function probeGreeting(host: string, port = 25): Promise<string | null> {
  const socket = connect({ host, port });
  try {
    const [first] = await once(socket, 'data', { signal: AbortSignal.timeout(CONNECT_MS) });
    return String(first).split('\r\n', 1)[0] ?? null;
  } catch {
    return null;
  } finally {
    socket.destroy();
  }
}

/**
 * Returns the number of free bytes on the disk of a folder, which may not exist yet, or `null` if that cannot
 * be read.
 */
export async function probeDisk(folder: string): Promise<number | null> {
  if (!existsSync(folder)) return probeDisk(dirname(folder));
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** Returns the facts about a certificate for a host, `null` if none is set, or `unreadable`. */
export function probeCertificate(
  pem: string | null,
  hostname: string,
): CertificateFacts | null | 'unreadable' {
  if (pem === null) return null;
  const certificate = readCertificatePem(pem);
  return certificate === null
    ? 'unreadable'
    : {
        validTo: certificate.validToDate.getTime(),
        coversHost: certificate.checkHost(hostname) !== undefined,
      };
}
