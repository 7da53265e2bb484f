/** Tests the service on a disk that is really full. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { PROGRAM_ENV } from '../environment/compile-cache.ts';
import { needs } from '../support/process/needs.ts';
import { mountSmallDisk, NO_DISK } from '../support/process/small-disk.ts';
import { type CreatedTest, type Stack, startStack } from '../support/process/stack.ts';
import { until } from '../support/process/until.ts';

const disk = mountSmallDisk();

let stack: Stack | undefined;
afterAll(async () => {
  await stack?.stop();
  disk?.remove();
});

/**
 * Starts clients that create tests and send emails until they are told to stop, and that record the
 * responses.
 */
function startLoad({ http, send }: Stack) {
  const created: CreatedTest[] = [];
  const analysed: CreatedTest[] = [];
  let going = true;

  async function client(): Promise<void> {
    while (going) {
      const response = await fetch(`${http()}/v1/tests`, { method: 'POST' });
      if (response.status !== 201) continue;
      const test = (await response.json()) as CreatedTest;
      created.push(test);
      const reply = await send(test.address).catch(() => '');
      if (reply.startsWith('250')) analysed.push(test);
    }
  }
  const clients = [client(), client(), client()];
  return {
    created,
    analysed,
    async stop() {
      going = false;
      await Promise.all(clients);
    },
  };
}

/** Runs `replay verify` on the live service. Returns what is incomplete, or older than the buckets show. */
async function verify(dataDir: string): Promise<string> {
  const env = {
    ...PROGRAM_ENV,
    DATA_DIR: dataDir,
  };
  const run = promisify(execFile);
  return (await run(process.execPath, ['src/operator.ts', 'replay', 'verify'], { env })).stdout;
}

test('on a full disk, nothing is accepted that is not stored; with room, the service continues on its own', async (context) => {
  needs(context, disk, NO_DISK);
  const dataDir = join(disk.path, 'data');
  stack = await startStack({ DATA_DIR: dataDir }, { ownLog: true });
  const { create, send, status, http, pid, log } = stack;
  const ready = async () => (await fetch(`${http()}/readyz`)).status;
  const first = pid();
  const waiting = await create();
  const load = startLoad(stack);
  await until(async () => load.analysed.length > 5);

  disk.fill();
  await until(async () => (await ready()) === 503);
  await load.stop();
  // Streams that still had room in the block that they had begun accept a little more.
  const refused = await until(async () => {
    disk.fill();
    const response = await fetch(`${http()}/v1/tests`, { method: 'POST' });
    if (response.status !== 201) return response;
    load.created.push((await response.json()) as CreatedTest);
    return undefined;
  });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await refused.json()).toMatchObject({ code: 'log_unavailable' });
  await expect(send(waiting.address)).rejects.toThrow(/451[ -]4\.3\.0/);
  expect(log.join('\n')).toMatch(/"level":"error".*free space/);
  for (const one of load.created)
    expect((await status(one)).status).toMatch(/^(waiting|processing|ready)$/);
  // The server waits for room, and does not try in vain.
  await sleep(1000);
  expect(await ready()).toBe(503);
  expect(log.join('\n')).not.toMatch(/events can be recorded again|does not start/);

  disk.free();
  await until(async () => (await ready()) === 200);
  await until(async () => /events can be recorded again/.test(log.join('\n')));
  expect(await send(waiting.address)).toMatch(/^250/);
  const later = await create();
  expect(pid()).toBe(first);
  expect(await until(() => verify(dataDir))).toBe('');

  // Everything that was acknowledged is in the log, not only in this process's memory.
  await stack.kill();
  for (const one of load.created)
    expect((await status(one)).status).toMatch(/^(waiting|processing|ready)$/);
  for (const one of [...load.analysed, waiting])
    expect(await status(one)).toMatchObject({ status: 'ready' });
  expect(await status(later)).toMatchObject({ status: 'waiting' });
});
