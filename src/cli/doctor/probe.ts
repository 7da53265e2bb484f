import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { CertificateFacts, PortState } from './judge.ts';

/** For a port that swallows what is sent to it, in milliseconds. */
const CONNECT_MS = 2_000;

/** Whether something listens there, or could. Port 0 is always free. */
export async function probePort(host: string, port: number): Promise<PortState> {
  if (port !== 0 && (await answers(host, port))) return 'answers';
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
    server.close();
    return 'free';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? 'denied' : 'unusable';
  }
}

async function answers(host: string, port: number): Promise<boolean> {
  // What listens everywhere is asked at this machine.
  const target = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  const socket = connect({ host: target, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** `null`: there is none. */
export function probeCertificate(
  pem: string | null,
  hostname: string,
): CertificateFacts | null | 'unreadable' {
  if (pem === null) return null;
  try {
    const certificate = new X509Certificate(pem);
    return {
      validTo: certificate.validToDate.getTime(),
      coversHost: certificate.checkHost(hostname) !== undefined,
    };
  } catch {
    return 'unreadable';
  }
}
