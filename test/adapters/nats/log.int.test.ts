import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, connectNats } from '../../../src/adapters/nats/connection.ts';
import { jetStreamLog } from '../../../src/adapters/nats/log.ts';
import { createStreams } from '../../../src/adapters/nats/streams.ts';
import { isTestEvent } from '../../../src/domain/events.ts';
import { describeEventLog } from '../../contracts/event-log.ts';
import { startNats } from '../../support/nats-server.ts';
import { streamSettings } from '../../support/streams.ts';

describeEventLog('on a nats-server', async () => {
  const server = await startNats();
  const connection = await connectNats({ url: server.url, name: 'test' });
  await createStreams(connection, streamSettings);
  return {
    log: jetStreamLog(connection, {
      stream: 'TESTS',
      subjectPrefix: 'tests',
      isEvent: isTestEvent,
    }),
    putRaw: async (id, body) => void (await connection.js.publish(`tests.${id}`, body)),
    async restart() {
      await server.kill();
      await server.start();
    },
    async goAway() {
      await server.kill();
      await until(connection, false);
    },
    async comeBack() {
      await server.start();
      await until(connection, true);
    },
    async end() {
      await connection.close();
      await server.end();
    },
  };
});

async function until({ connected }: Connection, wanted: boolean): Promise<void> {
  while (connected() !== wanted) await sleep(5);
}
