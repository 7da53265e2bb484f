/** Runs rspamd as a yardstick of the analysis. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../environment/free-ports.ts';
import { SENDER } from '../../environment/sender.ts';
import { cpuMsOf } from './process-cpu.ts';

/** Longest time until its worker responds, in milliseconds. */
const START_MS = 60_000;

/** Settings for one worker, used only by us. No part of an email goes anywhere else. */
const settings = (port: number, dns: string): Readonly<Record<string, string>> => ({
  'worker-normal.inc': `bind_socket = "127.0.0.1:${port}"; count = 1;`,
  'worker-controller.inc': 'enabled = false;',
  'worker-proxy.inc': 'enabled = false;',
  'logging.inc': 'level = "error";',
  'fuzzy_check.conf': 'enabled = false;',
  'options.inc': `dns { nameserver = ["${dns}"]; timeout = 1s; retransmits = 1; }`,
});

const isInstalled = () => spawnSync('rspamd', ['--version']).status === 0;

/**
 * Starts the distribution's rspamd with its own rules, as a yardstick of the analysis. Returns `undefined`
 * where it is not installed.
 * @param dns the only DNS server that it queries, as `address:port`
 */
export async function startRspamd(dns: string) {
  if (!isInstalled()) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'bench-rspamd-'));
  const [port = 0] = await freePorts(1);
  await mkdir(join(folder, 'local.d'));
  for (const [name, text] of Object.entries(settings(port, dns)))
    await writeFile(join(folder, 'local.d', name), `${text}\n`);
  const folders = ['LOCAL_CONFDIR', 'DBDIR', 'RUNDIR', 'LOGDIR'];
  const child = spawn(
    'rspamd',
    [
      ...['--insecure', '--no-fork', '--config', '/etc/rspamd/rspamd.conf'],
      ...folders.map((name) => `--var=${name}=${folder}`),
    ],
    { stdio: 'ignore' },
  );

  /** Judges one email as a mail server would have it judged. */
  async function check(mail: Buffer): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${port}/checkv2`, {
      method: 'POST',
      body: new Uint8Array(mail),
      headers: { ip: SENDER.ip, helo: SENDER.host, from: `orders@${SENDER.domain}` },
    });
    const { symbols } = (await response.json()) as { symbols: Record<string, unknown> };
    // A yardstick that gives up early would be too fast.
    if (!('R_DKIM_ALLOW' in symbols)) throw new Error('rspamd does not authenticate the email.');
  }

  async function stop(): Promise<void> {
    if (child.exitCode === null) {
      child.kill();
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await untilReady(port, child);
    return {
      check,
      cpuMs: async () => sum(await Promise.all((await family(child)).map(cpuMsOf))),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function untilReady(port: number, child: ChildProcess): Promise<void> {
  const end = performance.now() + START_MS;
  for (;;) {
    const isThere = await fetch(`http://127.0.0.1:${port}/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return;
    if (child.exitCode !== null || performance.now() > end)
      throw new Error('rspamd did not start.');
    await sleep(100);
  }
}

/** Returns the process and its children. */
async function family({ pid = 0 }: ChildProcess): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

const sum = (values: readonly number[]) => values.reduce((one, other) => one + other, 0);
