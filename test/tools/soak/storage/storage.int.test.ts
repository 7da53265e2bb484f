import { afterAll, beforeAll, expect, test } from 'vitest';
import { everyMessage } from './every-message.ts';
import { type Cluster, type ClusterNode, startCluster } from './nats-cluster.ts';
import { storageRound } from './round.ts';

let alone: Cluster;
beforeAll(async () => {
  alone = await startCluster(1);
});
afterAll(() => alone.end());

// A seed decides what is damaged and where; these are a start: `npm run lab -- soak storage` goes on.
test.each([
  [1],
  [2],
  [3],
  [4],
  [5],
  // Of `TESTS` and the bucket that would show it: nats-server stops, and starts with both empty.
  [130, 'swapped files'],
] as const)(
  'after damage to its files a log answers as before or not at all (seed %i)',

  async (seed, only?) => {
    const { what, wrong } = await storageRound(alone, seed, only);
    expect(wrong, what).toEqual([]);
  },
);

test('each message that one server by itself has lost leaves its test as it was, or frozen', async () => {
  const [server] = alone.nodes as [ClusterNode];
  const fates = await everyMessage(alone, server, 1);
  for (const { kind, message, damaged, elsewhere } of fates)
    expect(['same', 'frozen'], `${kind}: ${message}`).toEqual(
      expect.arrayContaining([damaged, elsewhere]),
    );
  // A disk that loses what the next event needs is always noticed.
  expect(fates.some(({ damaged }) => damaged === 'frozen')).toBe(true);
});
