import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { allCases } from '../analysis/whole/all-cases.ts';
import type { Case } from '../analysis/whole/case.ts';
import { arrive } from '../analysis/whole/environment.ts';
import { zoneWith } from '../analysis/whole/zone.ts';
import { playCommand } from '../support/command/played-console.ts';
import { packCommand } from '../tools/pack/pack.ts';
import { writeZoneFile } from './lint/write-zone-file.ts';

/** As the issue of the command has it. */
const MAX_BYTES = 2_000_000;

let folder: string;
let file: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packed-'));
  file = await packCommand(join(folder, 'package'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** In an empty folder, so that nothing beside the file can help. */
const run = (args: readonly string[]) =>
  spawnSync(process.execPath, [file, ...args], { cwd: tmpdir(), encoding: 'utf8', env: {} });

test('the package is one small file with its README and licence', () => {
  expect(readdirSync(join(folder, 'package')).sort()).toEqual([
    'LICENSE',
    'README.md',
    'deliverability.js',
    'package.json',
  ]);
  expect(readFileSync(file).length).toBeLessThan(MAX_BYTES);
  const manifest = JSON.parse(readFileSync(join(folder, 'package', 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ engines: { node: '>=20' }, license: 'Apache-2.0' });
  expect(manifest.dependencies).toBeUndefined();
});

test.each([
  [['--help'], 0, 'deliverability COMMAND'],
  [['check', '--service', 'http://127.0.0.1:1', '--retry-for', '0'], 5, 'The service is away'],
  [
    ['check', '--soft', '--service', 'http://127.0.0.1:1', '--retry-for', '0'],
    0,
    'service is away',
  ],
  [['lint', 'nowhere.eml'], 2, 'cannot be read'],
  [['mcp'], 2, 'Name the service'],
])('it runs %j and ends with %i', (args, exitCode, text) => {
  const { status, stdout, stderr } = run(args);
  expect(status, stderr).toBe(exitCode);
  expect(stdout + stderr).toContain(text);
});

test('its MCP server shows the tools, with nothing beside the file', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const env = { DELIVERABILITY_URL: 'http://127.0.0.1:1' };
  const transport = { command: process.execPath, args: [file, 'mcp'], cwd: tmpdir(), env };
  await client.connect(new StdioClientTransport(transport));
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('read_report');
});

/** A few of each area, in turn: all of them are compared with the service in `lint.int.test.ts`. */
const some = Object.values(allCases).flatMap((cases) =>
  cases.filter((_, index) => index % 40 === 3),
);

describe('lint of the package finds what the source finds', () => {
  test.each(some)('$about', async (one: Case) => {
    const { bytes, client, from } = await arrive(one);
    const mail = join(folder, 'mail.eml');
    const zone = join(folder, 'zone');
    writeFileSync(mail, bytes);
    writeFileSync(zone, writeZoneFile(zoneWith(one.zone)));
    const sender = from.domain === '' ? '<>' : `${from.localPart}@${from.domain}`;
    const about = ['--dns', zone, '--from', sender, '--format', 'json', '--fail-on', 'never'];
    const who = client.ip === null ? [] : ['--ip', client.ip, '--helo', client.helo ?? ''];
    const args = ['lint', mail, ...about, ...who];
    const { status, stdout, stderr } = run(args);
    expect(status, stderr).toBe(0);
    expect(stdout).toBe((await playCommand(args)).stdout);
  });
});
