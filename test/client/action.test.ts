/**
 * Tests the GitHub action that runs the `deliverability` command: its inputs, and the file that it
 * fetches and verifies.
 */

import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { COMMAND_VERSION } from '../../src/client/identity.ts';
import { checkWorkflow } from '../lab/supply/check.ts';

const ACTION = '.github/actions/deliverability';
const action = parse(readFileSync(`${ACTION}/action.yml`, 'utf8'));
interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
}

const steps: { readonly env?: Record<string, string>; readonly run: string }[] = action.runs.steps;

test('every input is used, each one used exists, and none is inside a script', () => {
  const used = steps.flatMap(({ env = {} }) =>
    Object.values(env).flatMap((value) => /inputs\.([\w-]+)/.exec(value)?.[1] ?? []),
  );
  expect(used.sort()).toEqual(Object.keys(action.inputs).sort());
  for (const { run } of steps) expect(run).not.toContain('${{');
});

/** A command that prints its arguments instead of doing anything. */
const COMMAND = `import { writeFileSync } from 'node:fs';
  const args = process.argv.slice(2);
  console.log(JSON.stringify(args));
  const json = args.find((arg) => arg.startsWith('json='));
  writeFileSync(json.slice(5), '{"score": 68, "judgement": {"lowest_score": 60, "score_text": "60 to 68 of 100, grade C"}}');
  process.exitCode = 1;`;

const TARBALL = '/owner/project/releases/download/v1.2.3/deliverability-1.2.3.tgz';

let folder: string;
let server: Server;
let tarball: Buffer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'action-'));
  cpSync(ACTION, join(folder, ACTION), { recursive: true });
  mkdirSync(join(folder, 'package'));
  writeFileSync(join(folder, 'package/package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'package/deliverability.js'), COMMAND);
  execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder });
  tarball = readFileSync(join(folder, 'package.tgz'));
  server = createServer(({ url }, response) => {
    if (url === TARBALL) response.end(tarball);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the release as a commit of the action would name it. */
const release = (sha256: string) =>
  writeFileSync(join(folder, ACTION, 'release.json'), JSON.stringify({ version: '1.2.3', sha256 }));

const env = () => ({
  PATH: process.env.PATH,
  RUNNER_TEMP: folder,
  REPOSITORY: 'owner/project',
  GITHUB_SERVER_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
});

const fetchCommand = (more = {}) =>
  promisify(execFile)(join(folder, ACTION, 'fetch.sh'), { env: { ...env(), ...more } }).then(
    () => 'fetched',
    ({ stderr }: { stderr: string }) => stderr,
  );

const hash = () => createHash('sha256').update(tarball).digest('hex');

test('a file with another hash than the one in the commit is never run', async () => {
  release('0'.repeat(64));
  expect(await fetchCommand()).toContain('does not have the hash');
  expect(readdirSync(folder).filter((name) => name.startsWith('deliverability-'))).toEqual([]);
});

test('the file of the release is fetched once, and unpacked, even where sha256sum is missing', async () => {
  release(hash());
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  writeFileSync(join(programs, 'sha256sum'), '#!/bin/sh\nexit 127\n', { mode: 0o755 });
  const PATH = `${programs}:${process.env.PATH}`;
  expect([await fetchCommand({ PATH }), await fetchCommand()]).toEqual(['fetched', 'fetched']);
  expect(readdirSync(join(folder, `deliverability-${hash()}`, 'package'))).toContain(
    'deliverability.js',
  );
});

test('the hash in the repository belongs to a release of this version', () => {
  expect(JSON.parse(readFileSync(`${ACTION}/release.json`, 'utf8'))).toEqual({
    version: COMMAND_VERSION,
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('the sample workflow uses the inputs of the action, and pins what it runs', () => {
  const text = readFileSync('docs/deploy/deliverability.yml', 'utf8');
  const jobs: Record<string, { readonly steps: readonly Step[] }> = parse(text).jobs;
  const uses = Object.values(jobs)
    .flatMap(({ steps: all }) => all)
    .filter((step) => step.uses?.includes('/actions/deliverability@'));
  expect(uses).toHaveLength(2);
  for (const step of uses)
    expect(Object.keys(action.inputs)).toEqual(
      expect.arrayContaining(Object.keys(step.with ?? {})),
    );
  expect(uses.map((step) => Object.keys(step.with ?? {}).includes('lint'))).toEqual([true, false]);
  expect(checkWorkflow('deliverability.yml', text.replaceAll('COMMIT', '0'.repeat(40)))).toEqual(
    [],
  );
});

const run = (inputs: Record<string, string>) => {
  const output = join(folder, 'output');
  writeFileSync(output, '');
  const { status, stdout, stderr } = spawnSync(join(folder, ACTION, 'run.sh'), {
    encoding: 'utf8',
    env: { ...env(), GITHUB_OUTPUT: output, ...inputs },
  });
  expect(stderr).toBe('');
  return { status, args: JSON.parse(stdout) as string[], output: readFileSync(output, 'utf8') };
};

test('the inputs become arguments, each in full, and the exit code is that of the command', () => {
  const send = `mail -s "it's $(id) a test" {address}`;
  const { status, args, output } = run({
    INPUT_SEND: send,
    INPUT_MIN_SCORE: '80',
    INPUT_SOFT: 'true',
    INPUT_SARIF: 'a b.sarif',
    INPUT_ARGUMENTS: '--pay-to\n0x1\n',
  });
  expect(status).toBe(1);
  expect(args.slice(0, 3)).toEqual(['check', '--send', send]);
  for (const part of ['--soft', '--min-score', '80', 'sarif=a b.sarif', '--pay-to', '0x1'])
    expect(args).toContain(part);
  expect(output).toMatch(/^score=60\nresult=60 to 68 of 100, grade C\nreport=/);
});

test('files are judged without the service, and for free', () => {
  const { args } = run({ INPUT_LINT: 'ci/mail.eml\nmails/*.eml\n', INPUT_MAX_PRICE: '0.05' });
  expect(args.slice(0, 3)).toEqual(['lint', 'ci/mail.eml', 'mails/*.eml']);
  expect(args).not.toContain('--max-price');
});
