/** Starts an HTTPS server on loopback, and returns what redirects the guarded fetch to it. */

import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { selfSigned } from '../../../src/adapters/smtp/certificate.ts';

/** Starts an HTTPS server on loopback, with what redirects the guarded fetch to it. */
export async function startHttpsServer(hostname: string, listener: RequestListener) {
  const { key, cert } = await selfSigned(hostname, Date.now());
  const server = createServer({ key, cert }, listener);
  // Failed handshakes are no error here, because some tests are about them.
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    override: { connect: '127.0.0.1', port, ca: cert },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
