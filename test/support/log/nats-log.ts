/**
 * Starts a nats-server with the streams of the service, connects to it, and can make it unavailable.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { connectNats, type LogConnection } from '../../../src/adapters/nats/connection.ts';
import { openLogs } from '../../../src/adapters/nats/log.ts';
import { createStreams, type StreamSettings } from '../../../src/adapters/nats/streams.ts';
import { type NatsServer, startNats } from './nats-server.ts';
import { streamSettings } from './streams.ts';

/** Starts a server with the streams, a connection to it, and the logs. */
export async function startLogs(settings: StreamSettings = streamSettings) {
  const server = await startNats();
  const connection = await connectNats({ url: server.url, name: 'test' });
  await createStreams(connection, settings);
  return { server, connection, ...openLogs(connection), ...outages(server, connection) };
}

function outages(server: NatsServer, connection: LogConnection) {
  const until = async (wanted: boolean) => {
    while (connection.connected() !== wanted) await sleep(5);
  };
  return {
    async restart() {
      await server.kill();
      await server.start();
    },
    async goAway() {
      await server.kill();
      await until(false);
    },
    async comeBack() {
      await server.start();
      await until(true);
    },
    async end() {
      await connection.close();
      await server.end();
    },
  };
}
