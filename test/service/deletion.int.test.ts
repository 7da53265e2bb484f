/**
 * Tests that a deleted test is unknown to every replica and gone from the disk, and that emails to
 * it are refused.
 */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Replicas, startReplicas } from '../support/log/replicas.ts';
import type { CreatedTest } from '../support/process/stack.ts';
import { until } from '../support/process/until.ts';

let replicas: Replicas;
beforeAll(async () => {
  replicas = await startReplicas(2);
});
afterAll(() => replicas?.stop());

/** A greeting that no other email has. It is in `MailArrived`, and in every copy of the report. */
const MARKER = 'deleted-q7x9k2.sender.example';

/** Returns how often those bytes occur in the files of the store. */
async function count(text: string): Promise<number> {
  const names = await readdir(replicas.dataDir, { recursive: true, withFileTypes: true });
  const contents = await Promise.all(
    names
      .filter((one) => one.isFile())
      .map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1').catch(() => '')),
  );
  return contents.reduce((sum, content) => sum + content.split(text).length - 1, 0);
}

const del = (index: number, { test_id, read_token }: CreatedTest) =>
  fetch(`${replicas.http(index)}/v1/tests/${test_id}`, {
    method: 'DELETE',
    headers: { 'x-read-token': read_token },
  });
const statuses = (created: CreatedTest) =>
  Promise.all([0, 1].map((index) => replicas.status(index, created)));
const typesOf = async ({ test_id }: CreatedTest) =>
  (await replicas.tests.read(test_id)).map(({ event }) => event.type);

test('a deleted test is unknown to every replica, and nothing of its email is on the disk', async () => {
  const created = await replicas.created(0);
  expect(await replicas.send(0, created, MARKER)).toMatch(/^250/);
  await until(async () => ((await count(MARKER)) >= 3 ? true : undefined));
  expect((await replicas.read(1, created)).status).toBe(402);

  const answer = await del(1, created);
  expect([answer.status, await answer.text()]).toEqual([204, '']);
  expect(await replicas.status(1, created)).toBe('test_not_found');
  await expect.poll(() => statuses(created)).toEqual(['test_not_found', 'test_not_found']);
  expect((await replicas.read(0, created)).status).toBe(404);

  await until(async () => ((await typesOf(created)).length === 1 ? true : undefined));
  expect(await typesOf(created)).toEqual(['TestDeleted']);
  expect(await count(MARKER)).toBe(0);
  expect(await replicas.reports.read(created.test_id)).toEqual([]);
});

test('email to a deleted test is refused for good', async () => {
  const created = await replicas.created(0);
  expect((await del(0, created)).status).toBe(204);
  await expect(replicas.send(1, created)).rejects.toThrow(/550/);
});

test('an email whose test is deleted during the analysis is refused, and leaves no report', async () => {
  const created = await replicas.created(0);
  const sent = replicas.send(0, created).catch(String);
  await until(async () => ((await typesOf(created)).includes('MailArrived') ? true : undefined));
  const { status } = await del(1, created);
  expect(status).toBe(204);
  // The email was either analysed just before, or refused.
  expect(await sent).toMatch(/250|550/);
  await until(async () => ((await typesOf(created)).length === 1 ? true : undefined));
  await until(async () =>
    (await replicas.reports.read(created.test_id)).length === 0 ? true : undefined,
  );
  await expect.poll(() => statuses(created)).toEqual(['test_not_found', 'test_not_found']);
});
