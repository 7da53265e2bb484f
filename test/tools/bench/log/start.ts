import { setTimeout as sleep } from 'node:timers/promises';
import { startReplica } from './replica.ts';
import { playTest } from './requests.ts';

/** Tests made at once. */
const LANES = 64;

/** A day, in milliseconds: they are alive at the end. */
const LIFE_MS = 86_400_000;

/** How often a bucket is read by a replica that starts, with so many live tests that have a report. */
export async function measureStart(url: string, live: number) {
  const earlier = await startReplica(url, 'earlier');
  let next = 0;
  const lane = async () => {
    while (next++ < live) await playTest(earlier, 'earlier', Date.now() + LIFE_MS);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  const { streams } = earlier.connection.jsm;
  const lines = async (name: string) => (await streams.info(name)).state.messages;
  while ((await lines('KV_status')) + (await lines('KV_reports')) < 2 * live) await sleep(1000);
  await earlier.stop();

  const begun = performance.now();
  const replica = await startReplica(url, 'later');
  const ms = performance.now() - begun;
  await sleep(10_000);
  const reads = replica.counts.get('bucket read') ?? 0;
  await replica.stop();
  return { reads, ms };
}
