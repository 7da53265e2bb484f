import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Replicas, startReplicas } from '../support/log/replicas.ts';
import { until } from '../support/process/until.ts';

let replicas: Replicas;
beforeAll(async () => {
  replicas = await startReplicas(1, {
    RECEIVE_WINDOW_SECONDS: '12',
    RETENTION_SECONDS: '12',
  });
});
afterAll(() => replicas?.stop());

/** A greeting that no other mail has: it is in `MailArrived`, and in every copy of the report. */
const marker = (name: string) => `${name}-q7x9k2.sender.example`;

/** How often those bytes are in the files of the store. */
async function count(text: string): Promise<number> {
  const names = await readdir(replicas.dataDir, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile());
  const contents = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1').catch(() => '')),
  );
  return contents.reduce((sum, content) => sum + content.split(text).length - 1, 0);
}

test('after its end, nothing of a mail or its report is on the disk', async () => {
  const created = await replicas.created(0);
  expect(await replicas.send(0, created, marker('gone'))).toMatch(/^250/);
  // The arrival, the report and its copy: what is looked for can be found.
  await until(async () => (await count(marker('gone'))) >= 3);
  const [, arrival] = await replicas.tests.read(created.test_id);
  const digest = arrival?.event.type === 'MailArrived' ? arrival.event.data.digest : 'none';
  expect(await count(digest)).toBe(1);

  await until(async () => {
    const types = (await replicas.tests.read(created.test_id)).map(({ event }) => event.type);
    return types.length === 1 && types[0] === 'Expired' ? true : undefined;
  });
  expect(await count(marker('gone'))).toBe(0);
  expect(await count(digest)).toBe(0);
  expect(await replicas.reports.read(created.test_id)).toEqual([]);
  expect((await replicas.read(0, created)).status).toBe(404);
});

test('what is erased leaves its neighbours as they were', async () => {
  const ending = await replicas.created(0);
  await replicas.send(0, ending, marker('ends'));
  const { expires_at } = (await (
    await fetch(`${replicas.http(0)}/v1/tests/${ending.test_id}/status`)
  ).json()) as { expires_at: string };
  // In the same block of the store, and alive for longer.
  await until(async () => Date.now() > Date.parse(expires_at) - 1000);
  const staying = await replicas.created(0);
  await replicas.send(0, staying, marker('stays'));

  await until(async () => (await count(marker('ends'))) === 0);
  expect(await count(marker('stays'))).toBeGreaterThanOrEqual(3);
  const events = await replicas.tests.read(staying.test_id);
  expect(events.map(({ event }) => event.type)).toEqual([
    'TestCreated',
    'MailArrived',
    'AnalysisDone',
  ]);
  expect((await replicas.read(0, staying)).status).toBe(402);
});
