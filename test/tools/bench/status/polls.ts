import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

interface Load {
  readonly connections: number;
  readonly count: number;
  readonly onAnswer?: (answer: Answer) => void;
}

/**
 * Requests a second over so many connections, each asking again once it has been answered. Written by
 * hand: a client's library would take more time than the answer.
 */
export async function requestsASecond(
  port: number,
  requestOf: (n: number) => string,
  { connections, count, onAnswer }: Load,
): Promise<number> {
  const sockets = Array.from({ length: connections }, () =>
    connect(port, '127.0.0.1').setNoDelay(),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  let left = count;
  const begin = performance.now();
  const asker = async (socket: Socket) => {
    while (left > 0) {
      left -= 1;
      const answer = await ask(socket, `${requestOf(left)} HTTP/1.1\r\nhost: localhost\r\n`);
      if (answer.status > 299) throw new Error(`A request was answered ${answer.status}.`);
      onAnswer?.(answer);
    }
  };
  await Promise.all(sockets.map(asker));
  const rate = (count / (performance.now() - begin)) * 1000;
  for (const socket of sockets) socket.destroy();
  return rate;
}

/** One request and its answer, on a connection that is open. */
export function ask(socket: Socket, request: string): Promise<Answer> {
  return new Promise((resolve) => {
    let received = '';
    const onData = (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = received.slice(0, end);
      const [, length = '0'] = /^content-length: (\d+)/im.exec(head) ?? [];
      const body = received.slice(end + 4);
      if (body.length < Number(length)) return;
      socket.off('data', onData);
      resolve({ status: Number(head.slice(9, 12)), head, body });
    };
    socket.on('data', onData);
    socket.write(`${request}\r\n`);
  });
}
