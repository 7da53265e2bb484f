import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { freePorts } from '../src/cli/nats/free-ports.ts';
import { type NatsProcess, natsProcess } from '../src/cli/nats/server-process.ts';
import { findNatsServer } from '../src/setup/nats-server.mjs';
import { type CreatedTest, type Stack, startStack, until } from './support/stack.ts';

/** Small enough to fill at once, and larger than an empty store. */
const DISK = '24m';

const disk = mkdtempSync(join(tmpdir(), 'small-disk-'));

/** Root may mount a disk of its own making; others may not, and have no disk to fill. */
function mountDisk(): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', disk], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}
const isMounted = mountDisk();

let server: NatsProcess | undefined;
let stack: Stack | undefined;
afterAll(async () => {
  await stack?.stop();
  await server?.stop();
  if (isMounted) execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});

async function start(): Promise<Stack> {
  const [port = 0] = await freePorts(1);
  const configFile = join(disk, 'server.conf');
  const store = JSON.stringify(join(disk, 'store'));
  writeFileSync(
    configFile,
    // Without a limit of its own it would take three quarters of what is free, less than is asked.
    `listen: "127.0.0.1:${port}"\njetstream { store_dir: ${store}, max_file_store: 10GB, sync_interval: always }\n`,
  );
  server = natsProcess({ bin: findNatsServer().bin, configFile, pidFile: join(disk, 'pid') });
  await server.start();
  return startStack({ NATS_URL: `nats://127.0.0.1:${port}` });
}

function fillDisk(): void {
  for (;;) {
    try {
      appendFileSync(join(disk, 'ballast'), Buffer.alloc(4096));
    } catch {
      return;
    }
  }
}

test.skipIf(!isMounted)(
  'a full disk: nothing is accepted that is not stored; with space and a restart all is there',
  async () => {
    stack = await start();
    const { create, send, status, http } = stack;
    const acknowledged: CreatedTest[] = [];
    for (let index = 0; index < 20; index++) acknowledged.push(await create());
    const [waiting] = acknowledged;
    if (!waiting) throw new Error('No test was created.');

    fillDisk();
    // The file that was begun takes a few more; then nothing.
    const refused = await until(async () => {
      const response = await fetch(`${http()}/v1/tests`, { method: 'POST' });
      if (response.status !== 201) return response;
      acknowledged.push((await response.json()) as CreatedTest);
      return undefined;
    });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    await expect(send(waiting.address)).rejects.toThrow(/45[12][ -]4\.3\.\d/);
    for (const one of acknowledged) expect(await status(one)).toMatchObject({ status: 'waiting' });

    // A nats-server that could not write stores nothing until it is started again.
    rmSync(join(disk, 'ballast'));
    await server?.kill();
    await server?.start();
    await until(async () => (await fetch(`${http()}/readyz`)).ok || undefined);
    acknowledged.push(await until(create));
    await stack.kill();
    for (const one of acknowledged) expect(await status(one)).toMatchObject({ status: 'waiting' });
    expect(await until(() => stack?.send(waiting.address) ?? Promise.resolve(undefined))).toMatch(
      /^250/,
    );
  },
  120_000,
);
