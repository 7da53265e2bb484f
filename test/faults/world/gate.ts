/** Runs a proxy between a replica and its nats-server that can stop, delay and cut the traffic. */

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface Stop {
  readonly mark: string;
  readonly when: 'before' | 'after';
  reached(): void;
}

/**
 * A proxy between one replica and its nats-server. It stops the traffic at something that is written,
 * `before` it is stored or `after`, when only the acknowledgement is missing. It also delays, and cuts off.
 */
export async function startGate(port: number) {
  let stop: Stop | undefined;
  let isShut = false;
  let isCut = false;
  let delayMs = 0;
  const sockets = new Set<Socket>();

  /** Writes in order, each chunk after the delay that applied when it came. */
  const delayed = (to: Socket) => {
    let last: Promise<unknown> = Promise.resolve();
    return (chunk: Buffer) => {
      const due = delayMs === 0 ? undefined : sleep(delayMs);
      last = Promise.all([last, due]).then(() => to.write(chunk));
    };
  };

  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    const upstream = connect(port, '127.0.0.1');
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
    const [toServer, toClient] = [delayed(upstream), delayed(client)];
    let tail = '';
    client.on('data', (chunk) => {
      if (isShut) return;
      const seen = tail + chunk.toString('latin1');
      tail = stop ? seen.slice(1 - stop.mark.length) : '';
      const isIt = stop !== undefined && seen.includes(stop.mark);
      if (isIt) isShut = true;
      if (!isIt || stop?.when === 'after') toServer(chunk);
      if (isIt && stop?.when === 'before') stop.reached();
    });
    upstream.on('data', (chunk) => {
      if (!isShut) toClient(chunk);
      // The server has responded, so the message is stored.
      else if (stop?.when === 'after') stop.reached();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };

  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Resolves when the traffic has stopped where those bytes are written. */
    stopAt(mark: string, when: Stop['when']): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      stop = { mark, when, reached: resolve };
      return promise;
    },
    /** Allows no connection until it is opened. */
    cut() {
      isCut = true;
      breakAll();
    },
    /** Delays every chunk by this many milliseconds, in both directions. */
    delay(milliseconds: number) {
      delayMs = milliseconds;
    },
    /** Ends whatever it did. Connections that were stopped are broken. */
    open() {
      stop = undefined;
      delayMs = 0;
      if (isShut || isCut) breakAll();
      isShut = false;
      isCut = false;
    },
    async end() {
      breakAll();
      await once(server.close(), 'close');
    },
  };
}

export type Gate = Awaited<ReturnType<typeof startGate>>;
