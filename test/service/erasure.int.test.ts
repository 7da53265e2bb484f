/** Tests that nothing of an ended test remains on the disk. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FIXED } from '../../src/config/constants.ts';
import { type Replicas, startReplicas } from '../support/log/replicas.ts';
import { until } from '../support/process/until.ts';

/** The replica whose tests end soon, and the one whose tests outlive this file on any machine. */
const [ENDING, STAYING] = [0, 1];

let replicas: Replicas;
beforeAll(async () => {
  replicas = await startReplicas(2, {}, [
    { durations: { ...FIXED.durations, receiveWindowSeconds: 12, retentionSeconds: 12 } },
  ]);
});
afterAll(() => replicas?.stop());

/** Returns a greeting that no other email has. It is in `MailArrived`, and in every copy of the report. */
const marker = (name: string) => `${name}-q7x9k2.sender.example`;

/** Returns how often those bytes occur in the files of the store. */
async function count(text: string): Promise<number> {
  const names = await readdir(replicas.dataDir, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile());
  const contents = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1').catch(() => '')),
  );
  return contents.reduce((sum, content) => sum + content.split(text).length - 1, 0);
}

test('after its end, nothing of an email or its report is on the disk, and its neighbour is complete', async () => {
  const [ending, staying] = [await replicas.created(ENDING), await replicas.created(STAYING)];
  expect(await replicas.send(ENDING, ending, marker('ends'))).toMatch(/^250/);
  const [, arrival] = await replicas.tests.read(ending.test_id);
  const digest = arrival?.event.type === 'MailArrived' ? arrival.event.data.digest : 'none';
  // This test is in the same block of the store.
  expect(await replicas.send(STAYING, staying, marker('stays'))).toMatch(/^250/);
  // The arrival, the report and its copy contain the marker, so what is searched for can be found.
  await until(async () => (await count(marker('stays'))) >= 3);

  await until(async () => {
    const types = (await replicas.tests.read(ending.test_id)).map(({ event }) => event.type);
    return types.length === 1 && types[0] === 'Expired' ? true : undefined;
  });
  expect(await count(marker('ends'))).toBe(0);
  expect(await count(digest)).toBe(0);
  expect(await replicas.reports.read(ending.test_id)).toEqual([]);
  expect((await replicas.read(ENDING, ending)).status).toBe(404);

  expect(await count(marker('stays'))).toBeGreaterThanOrEqual(3);
  const events = await replicas.tests.read(staying.test_id);
  expect(events.map(({ event }) => event.type)).toEqual([
    'TestCreated',
    'MailArrived',
    'AnalysisDone',
  ]);
  expect((await replicas.read(STAYING, staying)).status).toBe(402);
});
