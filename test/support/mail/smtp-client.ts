/** Runs one SMTP session byte by byte, for everything that no well-behaved client does. */

import { connect, type Socket } from 'node:net';
import { connect as connectTls, type SecureVersion, type TLSSocket } from 'node:tls';
import { WAIT_MS } from '../../run/limits.mjs';

/** An SMTP session, byte by byte, for everything that no well-behaved client does. */
export interface SmtpClient {
  /** Waits for the next reply with all its lines. Rejects if the server closes first. */
  reply(): Promise<string>;
  /** Sends one command and waits for its reply. */
  send(command: string): Promise<string>;
  write(bytes: string | Uint8Array): void;
  /** Sends several commands, waits for all replies, and returns the last one. */
  sendAll(...commands: readonly string[]): Promise<string>;
  /** Rejects with the reply if it is refused. */
  startTls(options?: {
    readonly maxVersion?: SecureVersion;
    readonly ciphers?: string;
  }): Promise<TLSSocket>;
  /** Resolves when the network has connected. */
  connected: Promise<void>;
  /** Resolves with everything unread once the server has closed. */
  closed: Promise<string>;
  /** Returns what has arrived and was not read as a reply. */
  unread(): string;
  /** Leaves without a word. */
  vanish(): void;
}

/**
 * Connects, and reads the greeting unless told not to.
 * @param localAddress the address from which it connects, on loopback
 */
export async function smtpClient(
  port: number,
  greeted = true,
  patienceMs = WAIT_MS,
  localAddress = '127.0.0.1',
): Promise<SmtpClient> {
  let socket: Socket = connect({ port, host: '127.0.0.1', localAddress });
  let unread = '';
  let wake = () => {};
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<string>();
  let isClosed = false;

  const listen = (to: Socket) => {
    to.on('data', (chunk) => {
      unread += chunk.toString('latin1');
      wake();
    });
    to.on('error', () => {});
    to.on('close', () => {
      isClosed = true;
      wake();
      onClosed(unread);
    });
  };
  listen(socket);
  const connected = new Promise<void>((resolve) => socket.once('connect', () => resolve()));

  async function reply(): Promise<string> {
    const timer = setTimeout(() => socket.destroy(), patienceMs);
    try {
      for (;;) {
        const whole = /^(?:\d{3}-.*\r\n)*\d{3}(?: .*)?\r\n/.exec(unread)?.[0];
        if (whole) {
          unread = unread.slice(whole.length);
          return whole.trimEnd();
        }
        if (isClosed) throw new Error(`closed without a reply; unread: ${unread}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    } finally {
      clearTimeout(timer);
    }
  }

  const send = (command: string) => {
    socket.write(`${command}\r\n`, 'latin1');
    return reply();
  };

  if (greeted) await reply();
  return {
    reply,
    send,
    write: (bytes) =>
      void socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    async sendAll(...commands) {
      let last = '';
      for (const command of commands) last = await send(command);
      return last;
    },
    async startTls(options = {}) {
      const answer = await send('STARTTLS');
      if (!answer.startsWith('220')) throw new Error(answer);
      socket.removeAllListeners('data');
      const secure = connectTls({
        socket,
        rejectUnauthorized: false,
        minVersion: 'TLSv1',
        ...options,
      });
      await new Promise<void>((resolve, reject) => {
        secure.once('secureConnect', resolve);
        secure.once('error', reject);
        secure.once('close', () => reject(new Error('The handshake failed.')));
      });
      socket = secure;
      listen(secure);
      return secure;
    },
    connected,
    closed,
    unread: () => unread,
    vanish: () => void socket.destroy(),
  };
}
