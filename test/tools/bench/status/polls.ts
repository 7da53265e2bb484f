import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Polls a second over so many connections, each asking again once it has been answered. */
export async function pollsASecond(
  port: number,
  paths: readonly string[],
  { connections, polls }: { readonly connections: number; readonly polls: number },
): Promise<number> {
  const sockets = Array.from({ length: connections }, () =>
    connect(port, '127.0.0.1').setNoDelay(),
  );
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  let left = polls;
  const begin = performance.now();
  const asker = async (socket: Socket) => {
    while (left > 0) {
      left -= 1;
      await poll(socket, paths[left % paths.length] ?? '');
    }
  };
  await Promise.all(sockets.map(asker));
  const rate = (polls / (performance.now() - begin)) * 1000;
  for (const socket of sockets) socket.destroy();
  return rate;
}

/** One request and its answer, which is to be a 200. */
function poll(socket: Socket, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = '';
    const onData = (chunk: Buffer) => {
      received += chunk.toString('latin1');
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const [, length = '0'] = /^content-length: (\d+)/im.exec(received) ?? [];
      if (received.length < end + 4 + Number(length)) return;
      socket.off('data', onData);
      if (received.startsWith('HTTP/1.1 200')) resolve();
      else reject(new Error(`A poll was answered ${received.slice(0, 15)}.`));
    };
    socket.on('data', onData);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  });
}
