/**
 * Tests how the service starts and stops as a process: wrong settings, a port in use, signals, and
 * the end of its own nats-server.
 */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { PROGRAM_ENV, programOf } from './environment/compile-cache.ts';
import { walletKeyFile } from './support/payments/wallet-key-file.ts';
import { eventually } from './support/process/eventually.ts';

const main = programOf('src/main.ts');

let child: ChildProcess | undefined;
let dataDir = '';
afterEach(async () => {
  child?.kill('SIGKILL');
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

/** Starts the service on its own nats-server, with a chain that does not exist. */
async function start(settings: Record<string, string> = {}) {
  dataDir = await mkdtemp(join(tmpdir(), 'main-'));
  const started = spawn(process.execPath, [main], {
    cwd: dataDir,
    env: {
      ...PROGRAM_ENV,
      DATA_DIR: dataDir,
      X402_PAY_TO: `0x${'4'.repeat(40)}`,
      X402_RPC_URL: 'http://127.0.0.1:1',
      X402_WALLET_KEY_FILE: walletKeyFile(dataDir),
      HTTP_PORT: '0',
      METRICS_PORT: '0',
      SMTP_PORT: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child = started;
  const lines: string[] = [];
  const log = createInterface({ input: started.stdout });
  await new Promise<void>((resolve, reject) => {
    log.on('line', (line) => {
      lines.push(line);
      if (line.includes('"msg":"listening"')) resolve();
    });
    let errors = '';
    started.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    started.once('close', () => reject(new Error(errors)));
  });
  const { http } = JSON.parse(lines.at(-1) ?? '') as { http: string };
  const ready = async () => (await fetch(`${http}/readyz`)).status;
  return { started, lines, ready };
}

test('without settings, it names everything that is missing and ends', async () => {
  const started = spawn(process.execPath, [main], {
    cwd: tmpdir(),
    env: PROGRAM_ENV,
  });
  let said = '';
  started.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const [code] = await once(started, 'close');
  expect(code).toBe(1);
  for (const name of ['X402_PAY_TO', 'X402_RPC_URL', 'X402_WALLET_KEY_FILE'])
    expect(said).toContain(name);
});

test('every name in .env must be a setting', async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'main-'));
  await writeFile(join(dataDir, '.env'), 'PRICE=1\nSITE_ADDRESS=mailtest.example\nHTTP_PROT=80\n');
  const { stderr, status } = spawnSync(process.execPath, [main, '--check'], {
    cwd: dataDir,
    encoding: 'utf8',
    env: PROGRAM_ENV,
  });
  expect(status).toBe(1);
  expect(stderr).toContain('\n  PRICE in .env is not a setting: remove it.\n');
  expect(stderr).toContain('\n  HTTP_PROT is not a setting: did you mean HTTP_PORT?\n');
  expect(stderr).not.toContain('SITE_ADDRESS');
});

test('a former setting is named at the start, and is not a fault', async () => {
  const { lines } = await start({ RETENTION_SECONDS: '5', X402_SETTLEMENT: 'self' });
  const warned = lines.filter((line) => line.includes('no longer settings'));
  expect(warned).toHaveLength(1);
  expect(JSON.parse(warned[0] ?? '')).toMatchObject({
    settings: 'RETENTION_SECONDS, X402_SETTLEMENT',
  });
});

test('a port in use is a fault of its setting', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  await expect(start({ METRICS_PORT: `${port}` })).rejects.toThrow(
    /^ {2}METRICS_PORT cannot be opened: another program listens there/m,
  );
  taken.close();
});

test.each([
  [{ SMTP_HOST: '203.0.113.5' }, /^ {2}SMTP_HOST cannot be used: this machine does not have/m],
  [{ HTTP_HOST: 'nowhere.invalid' }, /^ {2}HTTP_HOST cannot be used: .*name/m],
  [{ SMTP_HOST: 'fe80::1' }, /^ {2}SMTP_HOST cannot be used: a link-local address needs/m],
  [{ DATA_DIR: '/etc/hosts/data' }, /^ {2}DATA_DIR \(.*\) cannot be used: ENOTDIR /m],
  [{ DATA_DIR: '/proc/data' }, /^ {2}DATA_DIR \(.*\) cannot be used: ENOENT /m],
])('%j is a fault of its setting', async (settings, message) => {
  await expect(start(settings)).rejects.toThrow(message);
});

test('a SIGTERM that comes twice, as to a whole group, still ends it in order', async () => {
  const { started, lines } = await start();
  const exited = once(started, 'exit');
  started.kill('SIGTERM');
  started.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect(lines.at(-1)).toContain('"msg":"stopped"');
});

test('if its own nats-server dies, the service restarts it and continues', async () => {
  const { started, lines, ready } = await start();
  const { guard } = JSON.parse(await readFile(join(dataDir, 'nats.lock'), 'utf8')) as {
    guard: { pid: number };
  };
  expect(await ready()).toBe(200);
  process.kill(guard.pid, 'SIGKILL');
  await eventually(() => {
    expect(lines.join('\n')).toMatch(/"level":"error".*"fault":"ended"/);
    expect(lines.join('\n')).toMatch(/"after":"ended".*events can be recorded again/);
  });
  expect(await ready()).toBe(200);
  expect(started.exitCode).toBeNull();
  const exited = once(started, 'exit');
  started.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});
