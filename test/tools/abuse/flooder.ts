import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { serve, startApart } from './apart.ts';

interface Flood {
  readonly port: number;
  /** The client that is stated. */
  readonly ip: string;
  /** Connections at once; every other one never reads a reply. */
  readonly connections: number;
}

const COMMANDS = Buffer.from('NOOP\r\n'.repeat(10_000));

async function introduce(socket: Socket, ip: string): Promise<void> {
  await once(socket, 'data');
  for (const line of [`XCLIENT ADDR=${ip}`, 'EHLO a.example']) {
    socket.write(`${line}\r\n`);
    await once(socket, 'data');
  }
}

/** Sends commands as fast as they are taken. */
function createFlooder() {
  const counts = { connections: 0, bytes: 0 };

  async function flood({ port, ip }: Flood, isDeaf: boolean): Promise<void> {
    for (;;) {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      const closed = new Promise((resolve) => socket.on('close', resolve));
      const isOpen = await Promise.race([introduce(socket, ip).then(() => true), closed]);
      counts.connections += 1;
      if (isDeaf) socket.pause();
      else socket.resume();
      while (isOpen === true && socket.writable) {
        const { promise: sent, resolve } = Promise.withResolvers<void>();
        socket.write(COMMANDS, () => resolve());
        await Promise.race([sent, closed]);
      }
      counts.bytes += socket.bytesWritten;
      socket.destroy();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  return {
    begin(plan: Flood): void {
      for (let n = 0; n < plan.connections; n++) void flood(plan, n % 2 === 0);
    },
    counts: () => counts,
  };
}

/** In a process of its own. */
export const startFlooder = () => startApart<ReturnType<typeof createFlooder>>(import.meta.url);

if (import.meta.main) serve(createFlooder());
