/** Tests the service when its log is full. */

import { randomUUID } from 'node:crypto';
import { headers } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIXED } from '../../src/config/constants.ts';
import type { TestEvent } from '../../src/domain/events.ts';
import { type Replicas, startReplicas } from '../support/log/replicas.ts';
import { until } from '../support/process/until.ts';

const MIB = 1024 * 1024;

let replicas: Replicas;
beforeAll(async () => {
  // The tests outlive the requests that come before their end, even on a busy machine.
  const durations = { ...FIXED.durations, receiveWindowSeconds: 35, retentionSeconds: 35 };
  replicas = await startReplicas(1, { TESTS_MAX_BYTES: `${MIB}` }, [{ durations }]);
});
afterAll(() => replicas?.stop());

/** Fills the stream of tests with histories that have ended, the last ones as small as an event can be. */
async function fill(): Promise<void> {
  const { js } = replicas.connection;
  const past = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();
  const closed: TestEvent = {
    v: 1,
    id: randomUUID(),
    type: 'WindowClosed',
    at: past(10),
    by: 'test',
    data: { fired_at: past(10) },
  };
  for (const padding of [MIB / 32, MIB / 512, 0]) {
    const padded = headers();
    if (padding > 0) padded.set('Padding', 'a'.repeat(padding));
    const lane = async () => {
      for (let index = 0; ; index++)
        await js.publish(`tests.p${padding}x${index}`, JSON.stringify(closed), { headers: padded });
    };
    await expect(lane()).rejects.toThrow(/maximum/);
  }
}

test('a full log refuses with 503 and 452, keeps what it has, and its tests end in the room they leave', async () => {
  const analysed = await replicas.created(0);
  expect(await replicas.send(0, analysed)).toMatch(/^250/);
  const waiting = await replicas.created(0);
  const before = await replicas.tests.read(analysed.test_id);
  await fill();

  const refused = await replicas.create(0);
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  await expect(replicas.send(0, waiting)).rejects.toThrow(/452[ -]4\.3\.1/);
  expect(await replicas.status(0, waiting)).toBe('waiting');
  expect((await replicas.read(0, analysed)).status).toBe(402);
  expect(await replicas.tests.read(analysed.test_id)).toEqual(before);
  expect((await fetch(`${replicas.http(0)}/readyz`)).status).toBe(200);

  // There is no room even for the end of a test, but what the test leaves behind makes room.
  for (const { test_id } of [analysed, waiting]) {
    const left = await until(async () => {
      const events = (await replicas.tests.read(test_id)).map(({ event }) => event.type);
      return events.at(-1) === 'Expired' && events.length === 1 ? events : undefined;
    });
    expect(left).toEqual(['Expired']);
  }
  // The little room that there is now is reserved for existing tests.
  await until(async () => {
    const answer = (await (await replicas.create(0)).json()) as { code?: string };
    return answer.code === 'creation_paused';
  });
  expect(await replicas.reports.read(analysed.test_id)).toEqual([]);
});
