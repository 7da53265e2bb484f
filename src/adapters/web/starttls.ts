import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';

/** What is read of one reply, in bytes: a real one has a few hundred. */
const MAX_REPLY_BYTES = 4096;

/** Certificates of a chain. */
const MAX_CHAIN = 10;

/** What a host showed; `silent`: nothing that says anything of it. */
export type TlsSession =
  | {
      readonly status: 'tls';
      readonly version: string;
      /** Why the certificate is not valid for the name by the authorities of the web; null: it is. */
      readonly fault: string | null;
      /** As it was sent: the host's own first. */
      readonly chain: readonly X509Certificate[];
    }
  | { readonly status: 'no_tls'; readonly reason: string }
  | { readonly status: 'silent'; readonly reason: string };

interface Target {
  readonly host: string;
  readonly address: string;
  readonly port: number;
  /** What EHLO says. */
  readonly helo: string;
  /** PEM of the authority that is believed; by default those of the public web. */
  readonly ca?: string | undefined;
  readonly signal: AbortSignal;
}

/** EHLO, STARTTLS and QUIT (RFC 3207): no mail is begun, and nothing that the host says is kept. */
export async function openTls(target: Target): Promise<TlsSession> {
  const { address, port, helo, signal } = target;
  let socket = connect({ host: address, port, signal });
  // What breaks it is thrown where something is awaited.
  socket.on('error', () => {});
  try {
    const greeting = await readReply(socket, signal);
    if (codeOf(greeting) !== 220) return silent(`it answers with ${codeOf(greeting)}`);
    const offer = await ask(socket, `EHLO ${helo}`, signal);
    if (codeOf(offer) !== 250) return silent(`it answers EHLO with ${codeOf(offer)}`);
    if (!/\n250[- ]STARTTLS\s/i.test(offer)) return noTls('it does not offer STARTTLS');
    const code = codeOf(await ask(socket, 'STARTTLS', signal));
    // RFC 3207 §4: 454 is for a while.
    if (code !== 220) return (code < 500 ? silent : noTls)(`it answers STARTTLS with ${code}`);
    const session = beginTls(socket, target);
    socket = session;
    await once(session, 'secureConnect', { signal });
    return readSession(session);
  } catch (error) {
    if (signal.aborted) return silent('no answer in time');
    if (/^(?:ERR_SSL|EPROTO)/.test(Object(error).code)) return noTls('STARTTLS leads to no TLS');
    return silent(error instanceof Unexpected ? error.message : 'could not be reached');
  } finally {
    if (socket.writable) socket.write('QUIT\r\n');
    socket.destroySoon();
  }
}

const silent = (reason: string): TlsSession => ({ status: 'silent', reason });
const noTls = (reason: string): TlsSession => ({ status: 'no_tls', reason });

/** What a server that keeps to no protocol did. */
class Unexpected extends Error {}

/** Lines of one code, of which the last alone has no hyphen. */
const REPLY = /^(\d{3})(?:-[^\n]*\n\1)*(?: [^\n]*)?\r?\n$/;
const LAST_LINE = /(?:^|\n)\d{3}(?: [^\n]*)?\r?\n$/;

const codeOf = (reply: string): number => Number(reply.slice(0, 3));

function ask(socket: Socket, command: string, signal: AbortSignal): Promise<string> {
  socket.write(`${command}\r\n`);
  return readReply(socket, signal);
}

/** One reply, and nothing behind it: what is sent before TLS could be anybody's (RFC 3207 §6). */
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

/** Of any version and strength: the best that a host can do is what is to be seen. */
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

/** Words of ours: an error's own text quotes the certificate. */
const FAULTS: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for other names',
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'is of an unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is of an unknown authority, or its chain is not whole',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'is of an unknown authority, or its chain is not whole',
};
