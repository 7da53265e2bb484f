/** Tests that compressed and plain messages can be read, and damaged ones are reported. */

import { zstdCompressSync } from 'node:zlib';
import { headers } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kvProjection } from '../../../src/adapters/nats/projection.ts';
import type { ReportWritten } from '../../../src/domain/events.ts';
import type { Poison, Recorded } from '../../../src/ports/log.ts';
import { isReportView } from '../../../src/projection/views.ts';
import { aReportWritten } from '../../support/log/events.ts';
import { startLogs } from '../../support/log/nats-log.ts';

const event = aReportWritten({ score: 59 });
const { report } = event.data;

let logs: Awaited<ReturnType<typeof startLogs>>;
beforeAll(async () => {
  logs = await startLogs();
});
afterAll(() => logs.end());

/** Stores a message as the next release would. @returns its sequence number */
async function store(subject: string, body: Uint8Array, encoding = 'zstd'): Promise<number> {
  const named = headers();
  named.set('Content-Encoding', encoding);
  return (await logs.connection.js.publish(subject, body, { headers: named })).seq;
}

const compressed = (value: object) => zstdCompressSync(JSON.stringify(value));

/** Messages that are declared as zstd but cannot be read as such. */
const unreadable: Readonly<Record<string, readonly [body: Uint8Array, encoding?: string]>> = {
  'an encoding of a later release': [compressed(event), 'br'],
  'a text that is not compressed': [Buffer.from(JSON.stringify(event))],
  'a compressed text that breaks off': [compressed(event).subarray(0, 40)],
  'a compressed text that is no JSON': [zstdCompressSync('{"v":1')],
  'a text of more than 1 MiB': [compressed({ ...event, filler: ' '.repeat(1024 * 1024) })],
};

test('a compressed report is read like an uncompressed one', async () => {
  const { reports } = logs;
  const small = compressed(event);
  expect(small.length).toBeLessThan(JSON.stringify(event).length);
  const plain = await reports.append('aaaaaaaaaaaa', event, 0);
  expect(plain.outcome).toBe('appended');
  const seq = await store('reports.bbbbbbbbbbbb', small);
  expect((await reports.readAt(seq))?.event).toEqual(event);
  expect((await reports.read('aaaaaaaaaaaa')).map((one) => one.event)).toEqual([event]);
  expect((await reports.read('bbbbbbbbbbbb')).map((one) => one.event)).toEqual([event]);
});

test.each(Object.entries(unreadable))('%s is not a report', async (_, [body, encoding]) => {
  const { reports } = logs;
  const seq = await store('reports.cccccccccccc', body, encoding);
  expect(await reports.readAt(seq)).toBeUndefined();
  await reports.erase(seq, 'secure');
});

test('a follower receives both forms, and is told of one that cannot be read', async () => {
  const { reports } = logs;
  const cut = await store('reports.dddddddddddd', compressed(event).subarray(0, 40));
  const seen: Recorded<ReportWritten>[] = [];
  const poison: Poison[] = [];
  const following = reports.follow({
    onEvent: (recorded) => seen.push(recorded),
    onPoison: (one) => poison.push(one),
  });
  await following.ready;
  await following.stop();
  expect(seen.map(({ id }) => id)).toEqual(['aaaaaaaaaaaa', 'bbbbbbbbbbbb']);
  expect(poison).toEqual([{ id: 'dddddddddddd', seq: cut, fault: 'unreadable' }]);
  await reports.erase(cut, 'secure');
});

test('a compressed copy of a report is read, found and replaced by a newer one', async () => {
  const views = kvProjection(logs.connection, { bucket: 'reports', isValue: isReportView });
  const key = 'eeeeeeeeeeee';
  await store(`$KV.reports.${key}`, compressed({ seq: 7, report }));
  expect(await views.get(key)).toEqual({ seq: 7, report });
  expect(await views.has(key)).toBe(true);
  const found: [string, number][] = [];
  await views.scan((id, { seq }) => found.push([id, seq]));
  expect(found).toEqual([[key, 7]]);
  expect(await views.put(key, { seq: 6, report })).toBe('skipped');
  expect(await views.put(key, { seq: 8, report })).toBe('written');
  expect(await views.get(key)).toEqual({ seq: 8, report });
  await store(`$KV.reports.${key}`, compressed({ seq: 9, report }).subarray(0, 40));
  expect(await views.get(key)).toBeUndefined();
});
