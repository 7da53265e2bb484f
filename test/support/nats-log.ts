import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, connectNats } from '../../src/adapters/nats/connection.ts';
import { jetStreamLog } from '../../src/adapters/nats/log.ts';
import { createStreams, type StreamSettings } from '../../src/adapters/nats/streams.ts';
import { isReportWritten, isTestEvent } from '../../src/domain/events.ts';
import { isPaymentEvent } from '../../src/domain/payment-events.ts';
import { type NatsServer, startNats } from './nats-server.ts';
import { streamSettings } from './streams.ts';

/** The three logs of one connection. */
export function logsOf(connection: Connection) {
  return {
    tests: jetStreamLog(connection, {
      stream: 'TESTS',
      subjectPrefix: 'tests',
      isEvent: isTestEvent,
    }),
    reports: jetStreamLog(connection, {
      stream: 'REPORTS',
      subjectPrefix: 'reports',
      isEvent: isReportWritten,
    }),
    payments: jetStreamLog(connection, {
      stream: 'PAYMENTS',
      subjectPrefix: 'payments',
      isEvent: isPaymentEvent,
    }),
  };
}

/** A server with the streams, a connection to it, and the logs. */
export async function startLogs(settings: StreamSettings = streamSettings) {
  const server = await startNats();
  const connection = await connectNats({ url: server.url, name: 'test' });
  await createStreams(connection, settings);
  return { server, connection, ...logsOf(connection), ...outages(server, connection) };
}

function outages(server: NatsServer, connection: Connection) {
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
