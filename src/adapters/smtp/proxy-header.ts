/**
 * Reads the client's address from the PROXY header of a trusted proxy (version 1), and refuses connections of
 * such a proxy without a usable header.
 */

import { randomBytes } from 'node:crypto';
import { isIPv4, isIPv6, type Socket } from 'node:net';
import type { SMTPServer } from 'smtp-server';
import { type SmtpReply, toReply, verdict } from '../../domain/replies.ts';
import { clientAddress } from './addresses.ts';

/** Longest line of version 1 including its CRLF, in octets (PROXY protocol §2.1). */
const MAX_LINE = 107;

/** How long a refused connection stays open so that its reply can be read, in milliseconds. */
const LINGER_MS = 1000;

/** The beginning of every header of version 2. */
const VERSION_2 = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');

const LINE = /^PROXY (?:UNKNOWN(?: [ -~]*)?|TCP([46]) (\S+) (\S+) (\d{1,5}) (\d{1,5}))\r\n$/;

/** The remote address of a client that its proxy does not name. No range contains it. */
const UNNAMED = 'unknown';

/** Why a proxy's header cannot be used. */
export type ProxyFault = 'no_header' | 'version_2' | 'malformed';

/**
 * Reads a header line of PROXY protocol version 1.
 *
 * @returns the client's address, or `unknown` if the proxy does not name it, in which case the text after
 * UNKNOWN must be ignored. `undefined` if the line is not such a header.
 */
export function readProxyLine(line: string): string | undefined {
  const parts = LINE.exec(line);
  if (!parts) return undefined;
  const [, family, ...addresses] = parts;
  if (family === undefined) return UNNAMED;
  const [source = '', target = '', ...ports] = addresses;
  // A zone (`%eth0`) names an interface of another machine.
  const isAddress = (text: string) =>
    family === '4' ? isIPv4(text) : isIPv6(text) && !text.includes('%');
  if (!isAddress(source) || !isAddress(target) || ports.some((port) => Number(port) > 65_535))
    return undefined;
  return clientAddress(source) ?? undefined;
}

interface Options {
  readonly isProxy: (ip: string) => boolean;
  /** Number of connections that may wait for their headers at once. Connections beyond that are cut. */
  readonly maxWaiting: number;
  readonly onFault: (fault: ProxyFault, proxy: string) => void;
  /** Time limit for the header, in milliseconds. A proxy sends it before anything else, in one packet. */
  readonly headerMs: number;
}

/**
 * Lets the proxies in a range name the client of each connection with a header line of PROXY protocol version
 * 1. The library's own reader accepts any text as an address, and if the line does not name the client, it
 * treats the proxy itself as the client.
 */
export function readProxyHeaders(server: SMTPServer, options: Options): void {
  const isProxied = (socket: Socket) => options.isProxy(socket.remoteAddress ?? '');
  const handle = server._handleProxy.bind(server);
  server._expectsProxyHeader = isProxied;
  server._handleProxy = (socket, callback) => {
    if (!isProxied(socket)) return handle(socket, callback);
    if (server._pendingSockets.size > options.maxWaiting) {
      socket.on('error', () => {});
      socket.destroy();
      return callback(new Error('too many connections are waiting for a PROXY header'));
    }
    readHeader(socket, options, (remoteAddress) =>
      remoteAddress === undefined
        ? callback(new Error('no usable PROXY header'))
        : callback(null, { id: randomBytes(10).toString('hex'), remoteAddress }),
    );
  };
}

/** @param done called with the client's address, or with nothing if the socket is closed */
function readHeader(
  socket: Socket,
  { onFault, headerMs }: Options,
  done: (address?: string) => void,
): void {
  let head = Buffer.alloc(0);
  const timer = setTimeout(() => refuse('no_header'), headerMs);

  function finish(address?: string) {
    clearTimeout(timer);
    socket.off('readable', read).off('close', close).off('end', close);
    // The session listens from now on, but a socket that is closing may still fail.
    if (address === undefined) socket.on('error', () => {});
    socket.off('error', close);
    done(address);
  }
  // A health check that only connects is not a fault.
  function close() {
    socket.destroy();
    if (head.length > 0) onFault('malformed', socket.remoteAddress ?? '');
    finish();
  }
  function refuse(fault: ProxyFault) {
    onFault(fault, socket.remoteAddress ?? '');
    const { code, text }: SmtpReply = toReply(verdict('no_proxy_header'));
    socket.end(`${code} ${text}\r\n`);
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
    finish();
  }
  function read() {
    for (let chunk: Buffer = socket.read(); chunk !== null; chunk = socket.read()) {
      head = Buffer.concat([head, chunk]);
      const isVersion2 = VERSION_2.subarray(0, head.length).equals(head.subarray(0, 12));
      if (isVersion2 && head.length < VERSION_2.length) continue;
      if (isVersion2) return refuse('version_2');
      const end = head.indexOf('\n') + 1;
      if (end === 0 && head.length < MAX_LINE) continue;
      const line = end > 0 && end <= MAX_LINE ? head.toString('latin1', 0, end) : '';
      const address = readProxyLine(line);
      if (address === undefined) return refuse('malformed');
      const rest = head.subarray(end);
      if (rest.length > 0) socket.unshift(rest);
      return finish(address);
    }
  }
  socket.on('readable', read).on('error', close).on('close', close).on('end', close);
}
