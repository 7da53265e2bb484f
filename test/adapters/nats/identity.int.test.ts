/** Tests that a deleted, replaced or older stream is detected while the service runs. */

import { cp, rm } from 'node:fs/promises';
import type { StreamAPI } from '@nats-io/jetstream';
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { lossOf, watchStreams } from '../../../src/adapters/nats/stream-identity.ts';
import { createStreams } from '../../../src/adapters/nats/streams.ts';
import { anEvent } from '../../support/log/events.ts';
import { startLogs } from '../../support/log/nats-log.ts';
import { streamSettings } from '../../support/log/streams.ts';

test.each([
  ['the same', { created: 'a', lastSeq: 7 }, undefined],
  ['the same, and longer', { created: 'a', lastSeq: 9 }, undefined],
  ['shorter than it was', { created: 'a', lastSeq: 6 }, 'older'],
  ['another of its name', { created: 'b', lastSeq: 7 }, 'another'],
  ['nowhere', undefined, 'absent'],
])('a stream that is %s', (_, found, loss) => {
  expect(lossOf({ created: 'a', lastSeq: 7 }, found)).toBe(loss);
});

describe('on a server', () => {
  let nats: Awaited<ReturnType<typeof startLogs>>;
  let watch: Awaited<ReturnType<typeof watchStreams>>;
  let reads: MockInstance<StreamAPI['info']>;
  const lost = vi.fn();
  beforeEach(async () => {
    nats = await startLogs();
    await nats.tests.append('aaaaaaaaaaaa', anEvent('TestCreated'), 0);
    lost.mockReset();
    reads = vi.spyOn(nats.connection.jsm.streams, 'info');
    const options = { streams: ['TESTS', 'REPORTS'], onLost: lost, everyMs: 50 };
    watch = await watchStreams(nats.connection, options);
  });
  afterEach(async () => {
    watch.stop();
    await nats.end();
  });

  /** Returns whether this many messages were seen. Only then is it known that they were there. */
  const seen = (messages: number) =>
    expect
      .poll(() => reads.mock.settledResults.map(({ value }) => value?.state?.last_seq))
      .toContain(messages);
  const losses = () => expect.poll(() => lost.mock.calls);

  test('a deleted stream is reported once, and known at once', async () => {
    expect(watch.isSame()).toBe(true);
    await nats.connection.jsm.streams.delete('TESTS');
    await expect.poll(() => watch.isSame()).toBe(false);
    await losses().toEqual([['TESTS', 'absent']]);
  });

  test('the size of a stream and its end are shown', async () => {
    const before = watch.sizes();
    expect(before).toMatchObject([
      { stream: 'TESTS', bytes: expect.any(Number), maxBytes: streamSettings.testsMaxBytes },
      { stream: 'REPORTS', bytes: 0, maxBytes: streamSettings.reportsMaxBytes },
    ]);
    await nats.tests.append('bbbbbbbbbbbb', anEvent('TestCreated'), 0);
    await expect.poll(() => watch.sizes()[0]?.bytes).toBe(2 * (before[0]?.bytes ?? 0));
  });

  test('a stream that was created again is another one', async () => {
    await nats.connection.jsm.streams.delete('REPORTS');
    await createStreams(nats.connection, streamSettings);
    await losses().toEqual([['REPORTS', 'another']]);
  });

  test('an older copy of the store is reported', async () => {
    await nats.server.kill();
    const copy = `${nats.server.storeDir}-copy`;
    await cp(nats.server.storeDir, copy, { recursive: true });
    await nats.comeBack();
    await nats.tests.append('bbbbbbbbbbbb', anEvent('TestCreated'), 0);
    await seen(2);
    await nats.server.kill();
    await rm(nats.server.storeDir, { recursive: true });
    await cp(copy, nats.server.storeDir, { recursive: true });
    await rm(copy, { recursive: true });
    await nats.comeBack();
    await losses().toEqual([['TESTS', 'older']]);
  });

  test('a server that is unavailable, or starts again, is not a loss', async () => {
    await nats.restart();
    await expect
      .poll(() => nats.tests.append('bbbbbbbbbbbb', anEvent('TestCreated'), 0))
      .toMatchObject({ outcome: 'appended' });
    await seen(2);
    expect(watch.isSame()).toBe(true);
    expect(lost).not.toHaveBeenCalled();
  });
});
