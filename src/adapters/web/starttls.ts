/**
 * Starts TLS with a mail host, and returns its TLS version, its certificates and what is wrong with them, or
 * the reason why there is no TLS (RFC 3207).
 */

import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';

/** Maximum length of a reply, in bytes. Most replies have a few hundred. */
const MAX_REPLY_BYTES = 4096;

/** Maximum number of certificates that are read from a chain. */
const MAX_CHAIN = 10;

/** The result of a visit to a host. `silent` means that the host showed nothing conclusive. */
export type TlsSession =
  | {
      readonly status: 'tls';
      readonly version: string;
      /**
       * Why the certificate is not valid for the name according to the authorities of the web; null if it is.
       */
      readonly fault: string | null;
      /** The certificates in the order in which they were sent: the host's own comes first. */
      readonly chain: readonly X509Certificate[];
    }
  | { readonly status: 'no_tls'; readonly reason: string }
  | { readonly status: 'silent'; readonly reason: string };

interface Target {
  readonly host: string;
  readonly address: string;
  readonly port: number;
  /** The name in EHLO. */
  readonly helo: string;
  /** The trusted authority, as PEM. Default: the authorities of the public web. */
  readonly ca?: string | undefined;
  readonly signal: AbortSignal;
}

/** Sends EHLO, STARTTLS and QUIT (RFC 3207). No email is begun, and nothing that the host says is kept. */
export async function openTls(target: Target): Promise<TlsSession> {
  const { address, port, helo, signal } = target;
  let socket = connect({ host: address, port, signal });
  // The error of a broken socket is thrown by whatever waits for the socket, so nothing is done here.
  socket.on('error', () => {});
  try {
    const greeting = await readReply(socket, signal);
    if (codeOf(greeting) !== 220) return silent(`it replies with ${codeOf(greeting)}`);
    const offer = await ask(socket, `EHLO ${helo}`, signal);
    if (codeOf(offer) !== 250) return silent(`it replies to EHLO with ${codeOf(offer)}`);
    if (!/\n250[- ]STARTTLS\s/i.test(offer)) return noTls('it does not offer STARTTLS');
    const code = codeOf(await ask(socket, 'STARTTLS', signal));
    // The reply 454 is temporary (RFC 3207 §4).
    if (code !== 220) return (code < 500 ? silent : noTls)(`it replies to STARTTLS with ${code}`);
    const session = beginTls(socket, target);
    socket = session;
    await once(session, 'secureConnect', { signal });
    return readSession(session);
  } catch (error) {
    if (signal.aborted) return silent('no answer in time');
    if (/^(?:ERR_SSL|EPROTO)/.test(Object(error).code))
      return noTls('STARTTLS does not lead to TLS');
    return silent(error instanceof Unexpected ? error.message : 'could not be reached');
  } finally {
    if (socket.writable) socket.write('QUIT\r\n');
    socket.destroySoon();
  }
}

const silent = (reason: string): TlsSession => ({ status: 'silent', reason });
const noTls = (reason: string): TlsSession => ({ status: 'no_tls', reason });

/** An error for a server that does not follow the protocol. */
class Unexpected extends Error {}

/** Matches the lines of one reply, which have the same code. Only the last line has no hyphen after it. */
const REPLY = /^(\d{3})(?:-[^\n]*\n\1)*(?: [^\n]*)?\r?\n$/;
const LAST_LINE = /(?:^|\n)\d{3}(?: [^\n]*)?\r?\n$/;

const codeOf = (reply: string): number => Number(reply.slice(0, 3));

function ask(socket: Socket, command: string, signal: AbortSignal): Promise<string> {
  socket.write(`${command}\r\n`);
  return readReply(socket, signal);
}

/** Reads one reply with nothing after it: what is sent before TLS could come from anyone (RFC 3207 §6). */
async function readReply(socket: Socket, signal: AbortSignal): Promise<string> {
  let text = '';
  while (!LAST_LINE.test(text)) {
    const chunk = socket.read() as Buffer | null;
    if (chunk) text += chunk.toString('latin1');
    else if (socket.readableEnded) throw new Unexpected('it closes the connection');
    else await once(socket, 'readable', { signal });
    if (text.length > MAX_REPLY_BYTES) throw new Unexpected('its reply is too long');
  }
  if (!REPLY.test(text)) throw new Unexpected('its reply is not SMTP');
  return text;
}

/** Accepts any version and strength, because the point is to see the best that a host can do. */
function beginTls(socket: Socket, { host, ca }: Target): TLSSocket {
  const session = connectTls({
    socket,
    servername: host,
    rejectUnauthorized: false,
    minVersion: 'TLSv1',
    ciphers: 'DEFAULT@SECLEVEL=0',
    ...(ca !== undefined && { ca }),
  });
  session.on('error', () => {});
  return session;
}

function readSession(session: TLSSocket): TlsSession {
  const chain: X509Certificate[] = [];
  let next = session.getPeerX509Certificate();
  while (next && chain.length < MAX_CHAIN) {
    chain.push(next);
    next = next.issuerCertificate;
  }
  return {
    status: 'tls',
    version: session.getProtocol() ?? '',
    fault: session.authorized
      ? null
      : (FAULTS[String(session.authorizationError)] ?? 'is not valid'),
    chain,
  };
}

/** Our own words for the faults of a certificate, because an error's text quotes the certificate. */
const FAULTS: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for other names',
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'is from an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is from an unknown authority, or its chain is incomplete',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'is from an unknown authority, or its chain is incomplete',
};
