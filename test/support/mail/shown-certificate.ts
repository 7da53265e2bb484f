import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Returns the name in the certificate that STARTTLS shows on this port of loopback. */
export async function shownCertificate(port: number): Promise<string> {
  const socket = connectTcp(port, '127.0.0.1');
  await once(socket, 'data');
  for (const command of ['EHLO a.example', 'STARTTLS']) {
    socket.write(`${command}\r\n`);
    await once(socket, 'data');
  }
  const secure = connectTls({ socket, rejectUnauthorized: false });
  await once(secure, 'secureConnect');
  const { subject } = secure.getPeerCertificate();
  secure.destroy();
  return String(subject.CN);
}
