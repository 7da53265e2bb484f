import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** Longest wait for a reply, in milliseconds: everything is in memory, so a longer one is a hang. */
const HANG_MS = 15_000;

/** A connection that splits what it sends, and reads replies one by one. */
export function openClient(port: number, packet: number | null) {
  let socket: Socket = connect(port, '127.0.0.1').setNoDelay(true);
  let unread = '';
  let isClosed = false;
  let wake = () => {};

  const listen = (to: Socket) =>
    to
      .on('data', (chunk) => {
        unread += chunk.toString('latin1');
        wake();
      })
      .on('error', () => {})
      .on('close', () => {
        isClosed = true;
        wake();
      });
  listen(socket);

  /** Waits for `look`; `undefined`: it did not come in time. */
  async function wait<T>(look: () => T | undefined): Promise<T | undefined> {
    const deadline = Date.now() + HANG_MS;
    for (;;) {
      const found = look();
      if (found !== undefined || Date.now() > deadline) return found;
      const timer = setTimeout(() => wake(), HANG_MS);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      clearTimeout(timer);
    }
  }

  return {
    /** The next reply; null: closed without one; `undefined`: neither. */
    reply: () =>
      wait(() => {
        const whole = /^(?:\d{3}-[^\n]*\r\n)*\d{3}(?: [^\n]*)?\r\n/.exec(unread)?.[0];
        if (whole === undefined) return isClosed ? null : undefined;
        unread = unread.slice(whole.length);
        return whole.trimEnd();
      }),
    closed: () => wait(() => isClosed || undefined),
    unread: () => unread,
    /** In packets as planned; long ones are not cut that small. */
    async write(text: string): Promise<void> {
      const bytes = Buffer.from(text, 'latin1');
      const size = packet === null || bytes.length > 2000 ? bytes.length : packet;
      for (let at = 0; at < bytes.length; at += size) {
        socket.write(bytes.subarray(at, at + size));
        if (size < bytes.length) await new Promise(setImmediate);
      }
    },
    /** After the 220. False: the handshake failed. */
    async secure(): Promise<boolean> {
      socket.removeAllListeners('data').removeAllListeners('close');
      const secure = connectTls({ socket, rejectUnauthorized: false });
      const done = new Promise<boolean>((resolve) => {
        secure.once('secureConnect', () => resolve(true));
        secure.once('error', () => resolve(false));
        secure.once('close', () => resolve(false));
      });
      socket = secure;
      listen(secure);
      return done;
    },
    vanish: () => void socket.destroy(),
  };
}

export type Client = ReturnType<typeof openClient>;
