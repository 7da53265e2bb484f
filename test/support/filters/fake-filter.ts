/** Runs a server that stands in for SpamAssassin or rspamd, and builds their responses. */

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** How a filter handles a connection. `received` returns what has come so far. */
export type Behaviour = (socket: Socket, received: () => string) => void;

/** Starts a server that replaces a filter in a test. */
export async function startFilter(behave: Behaviour) {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const at = requests.push('') - 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    socket.on('data', (chunk) => {
      requests[at] += chunk.toString('latin1');
    });
    behave(socket, () => requests[at] ?? '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    host: '127.0.0.1',
    requests,
    open: () => sockets.size,
    stop(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export type FakeFilter = Awaited<ReturnType<typeof startFilter>>;

const DASHES = `---- ${'-'.repeat(22)} ${'-'.repeat(50)}`;

/** Returns a response to REPORT in SpamAssassin's words. */
export function spamdReport(rows: readonly string[], verdict = 'False ; 1.5 / 5.0'): string {
  const body = `Content preview:  9.9 FAKE_RULE of the email\n\n pts rule name  description\n${DASHES}\n${rows.join('\n')}\n\nContent preview:\n  9.9 FAKE_RULE again\n`;
  return `SPAMD/1.1 0 EX_OK\r\nContent-length: ${Buffer.byteLength(body)}\r\nSpam: ${verdict}\r\n\r\n${body}`;
}

const HEADERS =
  'SPAMD/1.1 0 EX_OK\r\nContent-length: 62\r\nSpam: False ; 1.0 / 5.0\r\n\r\nX-Spam-Checker-Version: SpamAssassin 4.0.1 (2024-03-25) on box\n';

/** Responds to REPORT with a text, and to HEADERS like version 4.0.1. */
export const answerAsSpamd =
  (report: string): Behaviour =>
  (socket, received) =>
    socket.on('end', () => socket.end(received().startsWith('HEADERS') ? HEADERS : report));

/** Responds to POST with a body, like version 3.4. */
export const answerAsRspamd =
  (body: string, status = '200 OK'): Behaviour =>
  (socket, received) =>
    socket.on('data', () => {
      const [head = '', mail = ''] = received().split('\r\n\r\n', 2);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      const got = received().length - head.length - 4;
      if (mail !== undefined && got >= length)
        socket.end(
          `HTTP/1.1 ${status}\r\nServer: rspamd/3.4\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
        );
    });

/** Returns rspamd's response about an email, with these symbols. */
export const rspamdAnswer = (symbols: Readonly<Record<string, number>>, more: object = {}) =>
  JSON.stringify({
    ...{ is_skipped: false, score: 2.5, required_score: 15, action: 'no action' },
    symbols: Object.fromEntries(
      Object.entries(symbols).map(([name, score]) => [name, { name, score, options: ['secret'] }]),
    ),
    ...more,
  });
