/** Tests that racing appends to one subject have one winner, even if nats-server is killed. */

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { connectNats } from '../../../src/adapters/nats/connection.ts';
import { openLogs } from '../../../src/adapters/nats/log.ts';
import { anEvent } from '../../support/log/events.ts';
import { startLogs } from '../../support/log/nats-log.ts';

const WRITERS = 6;
const SUBJECTS = 400;

test('racing writers have one winner per subject, however often the server is killed', async () => {
  const { server, tests, end } = await startLogs();
  const connections = await Promise.all(
    Array.from({ length: WRITERS }, (_, n) => connectNats({ url: server.url, name: `w${n}` })),
  );
  const appended = new Map<string, number[]>();
  let isDone = false;
  let kills = 0;

  async function write(writer: number): Promise<void> {
    const connection = connections[writer];
    if (!connection) throw new Error('no connection');
    const log = openLogs(connection).tests;
    for (let n = 0; n < SUBJECTS; n++) {
      const id = `race${n}`;
      const answer = await log.append(id, anEvent('TestCreated'), 0);
      if (answer.outcome !== 'appended' && answer.outcome !== 'lost')
        throw new Error(answer.outcome);
      if (answer.outcome === 'appended')
        appended.set(id, [...(appended.get(id) ?? []), answer.seq]);
    }
  }
  const killing = (async () => {
    while (!isDone && kills < 3) {
      await sleep(40);
      await server.kill();
      await server.start();
      kills++;
    }
  })();

  await Promise.all(connections.map((_, writer) => write(writer)));
  isDone = true;
  await killing;

  expect(kills).toBeGreaterThan(0);
  expect(appended.size).toBe(SUBJECTS);
  for (const [id, winners] of appended) {
    const stored = (await tests.read(id)).map(({ seq }) => seq);
    expect(stored, id).toEqual(winners);
  }
  await Promise.all(connections.map((one) => one.close()));
  await end();
});
