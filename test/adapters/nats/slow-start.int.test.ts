/**
 * Tests that the service's start, and a command that reads the whole log, outlast a cluster's election of a
 * leader, and that a start in vain names what it waited for.
 */

import { errors } from '@nats-io/transport-node';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { highWater } from '../../../src/adapters/nats/high-water.ts';
import { reachAtStart } from '../../../src/adapters/nats/outage.ts';
import { watchStreams } from '../../../src/adapters/nats/stream-identity.ts';
import { createStreams } from '../../../src/adapters/nats/streams.ts';
import { logsOver } from '../../../src/operator/replay/source.ts';
import { startLogs } from '../../support/log/nats-log.ts';
import { streamSettings } from '../../support/log/streams.ts';

/**
 * Duration of an election in milliseconds: longer than a caller of the service waits, and shorter than a
 * start waits.
 */
const SILENCE_MS = 6000;

let nats: Awaited<ReturnType<typeof startLogs>>;
beforeAll(async () => {
  nats = await startLogs();
});
afterAll(() => nats?.end());

/** Makes the server silent for a while, like a stream that has no leader. */
function silence(milliseconds: number): void {
  const pid = nats.server.pid();
  process.kill(pid, 'SIGSTOP');
  setTimeout(() => process.kill(pid, 'SIGCONT'), milliseconds);
}

test('a start, and a command that reads everything, outlast the election of a leader', async () => {
  const { connection } = nats;
  const { statusViews, reportViews, allClaims } = logsOver(connection);
  silence(SILENCE_MS);
  const steps = {
    marks: highWater(connection).read({}),
    identity: watchStreams(connection, { streams: ['TESTS'], onLost() {} }).then((one) =>
      one.stop(),
    ),
    streams: createStreams(connection, streamSettings),
    lines: statusViews.scan(() => {}),
    keys: reportViews.keys(),
    claims: allClaims.all(),
  };
  const ends = await Promise.allSettled(Object.values(steps));
  const failed = Object.keys(steps).filter((_, n) => ends[n]?.status === 'rejected');
  expect(failed).toEqual([]);
});

test('a start that waits in vain names what it waited for', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(15_000);
  const noLeader = () => Promise.reject(new errors.NoRespondersError('TESTS'));
  await expect(reachAtStart('TESTS', noLeader)).rejects.toThrow(
    'TESTS did not answer for 15 s: a leader is being elected, or too few nodes are available',
  );
  now.mockRestore();
});
