/** Tests the demo as a user runs it. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { isReport } from '../../src/domain/report/report.ts';
import { until } from '../support/process/until.ts';
import { PROGRAM_ENV } from './compile-cache.ts';

const launcher = fileURLToPath(new URL('../run/run.mjs', import.meta.url));
// Only part of our environment: Vitest sets a BASE_URL, and the demo uses what the environment names.
const env = {
  ...PROGRAM_ENV,
  HOME: process.env.HOME,
  npm_lifecycle_event: 'demo',
};

/** The records of another sender, as `dig` prints them. */
const STRANGERS_ZONE = `stranger.example. 300 IN TXT "v=spf1 mx" " -all"
stranger.example. 300 IN MX 10 mail.stranger.example.
mail.stranger.example. 300 IN A 198.51.100.7
7.100.51.198.in-addr.arpa. 300 IN PTR mail.stranger.example.
`;

let child: ChildProcess | undefined;
afterEach(() => child?.kill('SIGKILL'));

/** Returns everything a command writes, and how it ends. */
async function run(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const running = spawn(process.execPath, [launcher, 'demo', ...args], {
    env: { ...env, ...settings },
  });
  child = running;
  let stdout = '';
  let stderr = '';
  running.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  running.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(running, 'close');
  return { code, stdout, stderr };
}

test('--json prints only the report on stdout, and the story on stderr', async () => {
  const { code, stdout, stderr } = await run(['--json']);
  expect(code, stderr).toBe(0);
  expect(isReport(JSON.parse(stdout))).toBe(true);
  for (const step of ['POST /v1/tests', '250 2.0.0', 'ready', '402', '0.05 USDC', 'transaction 0x'])
    expect(stderr).toContain(step);
  expect(stderr).not.toContain('Settings taken from the environment');
});

test('an email that is refused ends the demo with what the server said', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-data-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const mail = fileURLToPath(new URL('../fixtures/mails/stranger.eml', import.meta.url));
  const { code, stderr } = await run(['--mail', mail], { DATA_DIR: dataDir });
  expect(code).toBe(1);
  expect(stderr).toContain('The server refused the email: 550 5.7.26');
  expect(stderr).not.toContain('last lines of the service');
  expect(stderr).toContain('Settings taken from the environment: DATA_DIR.');
  expect(await readdir(dataDir)).toContain('nats');
});

test('the email of another sender is tested with its own zone file, as if its server had sent it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'demo-zone-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const zone = join(folder, 'zone');
  await writeFile(zone, STRANGERS_ZONE);
  const mail = fileURLToPath(new URL('../fixtures/mails/stranger.eml', import.meta.url));
  const client = ['--ip', '198.51.100.7', '--helo', 'mail.stranger.example'];
  const { code, stdout, stderr } = await run(['--json', '--mail', mail, '--dns', zone, ...client]);
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    connection: { ip: '198.51.100.7', ptr: ['mail.stranger.example'], fcrdns: true },
    authentication: { spf: { result: 'pass' } },
  });
});

test.each([
  [['--sevre'], "Unknown option '--sevre'. See --help.\n"],
  [
    ['--test', 'x'],
    '--test, --to and --smtp are those that the page of a test shows. See --help.\n',
  ],
  [['--mail', 'nofile.eml'], 'nofile.eml cannot be read (ENOENT). See --help.\n'],
  [['--ip', '300.1.1.1'], '--ip must be an IP address, not 300.1.1.1. See --help.\n'],
  [['--dns', 'nofile.zone'], 'nofile.zone cannot be read (ENOENT). See --help.\n'],
])('%j is rejected with what is wrong, and nothing is started', async (args, stderr) => {
  expect(await run(args)).toEqual({ code: 2, stdout: '', stderr });
});

test('Ctrl-C while the demo starts is not a fault', async () => {
  const starting = spawn(process.execPath, [launcher, 'demo'], { env, detached: true });
  child = starting;
  const lines = createInterface({ input: starting.stderr });
  const said: string[] = [];
  lines.on('line', (line) => {
    said.push(line);
    // A terminal also signals every process of the group.
    if (line.startsWith('Starting')) process.kill(-Number(starting.pid), 'SIGINT');
  });
  const [code] = await once(starting, 'close');
  expect({ code, said }).toEqual({ code: 1, said: [expect.any(String)] });
});

test('the reason why the service does not start is printed once', async () => {
  const { code, stderr } = await run([], { NATS_URL: 'nats://127.0.0.1:1' });
  expect(code).toBe(1);
  expect(stderr.split('The server of NATS_URL cannot be used')).toHaveLength(2);
});

interface Environment {
  readonly http: string;
  readonly rpc: string;
  readonly nats: string;
  readonly smtp: { readonly port: number };
}

/** Returns whether anything listens there. */
async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const result = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return result;
}

const portsOf = ({ http, rpc, nats, smtp }: Environment) => [
  ...[http, rpc, nats].map((url) => Number(new URL(url).port)),
  smtp.port,
];

/** A shell represents npm above the launcher. */
test.each([
  ['the launcher', 'SIGTERM', false],
  ['npm', 'SIGKILL', true],
] as const)('--serve: %s ended by %s leaves nothing running', async (_who, signal, npm) => {
  const command = [process.execPath, launcher, 'demo', '--serve'];
  const serving = npm
    ? spawn('/bin/sh', ['-c', `"$@"; true`, 'sh', ...command], { env })
    : spawn(process.execPath, [launcher, 'demo', '--serve'], { env });
  child = serving;
  const lines = createInterface({ input: serving.stdout });
  const [line] = await once(lines, 'line');
  const ports = portsOf(JSON.parse(String(line)));
  expect(await Promise.all(ports.map(listens))).toEqual([true, true, true, true]);

  serving.kill(signal);
  await until(async () => {
    const open = await Promise.all(ports.map(listens));
    return open.includes(true) ? undefined : true;
  });
});

test.each([
  ['paid for', {}, 'settled in transaction 0x'],
  ['free', { PAYMENTS: 'off' }, 'reports are free here'],
])(
  'the page of a test shows the command that leads to a report, %s',
  async (_how, settings, says) => {
    const serving = spawn(process.execPath, [launcher, 'demo', '--serve'], {
      env: { ...env, ...settings },
    });
    child = serving;
    const [line] = await once(createInterface({ input: serving.stdout }), 'line');
    const { http } = JSON.parse(String(line));
    const page = await (await fetch(http, { method: 'POST' })).text();
    const [, id, token] = /data-id="(\w+)" data-token="([\w-]+)"/.exec(page) ?? [];
    const shown = /<code translate="no">npm run -s demo -- (.*?)<\/code>/.exec(page)?.[1] ?? '';
    const ran = spawn(
      '/bin/sh',
      ['-c', `"$0" "$1" demo ${shown.replaceAll('&#39;', "'")}`, process.execPath, launcher],
      { env },
    );
    const stdout = text(ran.stdout);
    expect(await once(ran, 'exit')).toEqual([0, null]);
    expect(await stdout).toContain(says);
    expect(await stdout).toContain('Fix first');
    const headers = { 'x-read-token': `${token}` };
    const report = await fetch(`${http}/v1/report?test_id=${id}`, { headers });
    expect(isReport(await report.json())).toBe(true);
    serving.kill('SIGTERM');
    await once(serving, 'exit');
  },
);
