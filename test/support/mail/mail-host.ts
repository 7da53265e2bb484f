/** Runs a mail host that replies as a test tells it. */

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSecureContext, type SecureContextOptions, TLSSocket } from 'node:tls';

/** The TLS settings, or how they depend on the requested name. */
type Tls = SecureContextOptions | ((host: string) => SecureContextOptions);

export interface Script {
  readonly greeting?: string | null;
  readonly ehlo?: string;
  readonly starttls?: string;
  readonly tls?: Tls;
}

/** Starts a mail host on loopback that replies as it is told, and keeps what it was sent. */
export async function startMailHost() {
  let script: Script = {};
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    serve(socket, script, heard);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    heard,
    play(next: Script) {
      script = next;
      heard.length = 0;
    },
    /** Waits until nobody is connected any more. */
    async left() {
      for (const socket of sockets) await once(socket, 'close');
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}

function serve(
  socket: Socket,
  {
    greeting = '220 mx.example.com ESMTP',
    ehlo = '250-mx\r\n250-SIZE\r\n250 STARTTLS',
    starttls = '220 Go',
    tls,
  }: Script,
  heard: string[],
): void {
  if (greeting === null) return;
  socket.write(`${greeting}\r\n`);
  const listen = (on: Socket, how: string) =>
    on.on('data', (chunk: Buffer) => {
      const line = String(chunk).trim();
      heard.push(`${how} ${line}`);
      if (line.startsWith('EHLO')) on.write(`${ehlo}\r\n`);
      if (line === 'STARTTLS') {
        socket.removeAllListeners('data');
        socket.write(`${starttls}\r\n`);
        if (tls) listen(secure(socket, tls), 'tls');
      }
      if (line === 'QUIT') on.end('221 Bye\r\n');
    });
  listen(socket, 'open');
}

const contextOf = (options: SecureContextOptions) =>
  createSecureContext({ ciphers: 'DEFAULT@SECLEVEL=0', ...options });

const secure = (socket: Socket, tls: Tls): TLSSocket =>
  new TLSSocket(socket, {
    isServer: true,
    ...(typeof tls === 'function'
      ? { SNICallback: (host, done) => done(null, contextOf(tls(host))) }
      : { secureContext: contextOf(tls) }),
  }).on('error', () => {});
