import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * Stands between the service and its nats-server, and stops the traffic at one event: `before` it
 * is stored, or `after`, when only the acknowledgement is missing.
 */
export async function startNatsGate(port: number) {
  let armed: { readonly mark: string; readonly when: 'before' | 'after' } | undefined;
  let shut = false;
  let onShut = () => {};
  const sockets = new Set<Socket>();

  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    let tail = '';
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
    }
    client.on('data', (chunk) => {
      if (shut) return;
      const seen = tail + chunk.toString('latin1');
      tail = armed ? seen.slice(-armed.mark.length) : '';
      const isIt = armed !== undefined && seen.includes(armed.mark);
      if (isIt) shut = true;
      if (!isIt || armed?.when === 'after') upstream.write(chunk);
      if (isIt && armed?.when === 'before') onShut();
    });
    upstream.on('data', (chunk) => {
      if (!shut) client.write(chunk);
      // The server has answered: it is stored.
      else if (armed?.when === 'after') onShut();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Resolves when the traffic has stopped there. */
    stopAt(type: string, when: 'before' | 'after'): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      armed = { mark: `"type":"${type}"`, when };
      onShut = resolve;
      return promise;
    },
    /** Connections made from now on pass; those that were stopped stay so until they are closed. */
    open() {
      armed = undefined;
      shut = false;
      for (const socket of sockets) socket.destroy();
    },
    async end() {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}

export type NatsGate = Awaited<ReturnType<typeof startNatsGate>>;
