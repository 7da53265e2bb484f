/**
 * Tests the npm package of the command and the library: its size, its files, the inventory of
 * bundled packages, its types and its results.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { allCases } from '../analysis/whole/all-cases.ts';
import { arrive } from '../analysis/whole/environment.ts';
import { zoneWith } from '../analysis/whole/zone.ts';
import { packCommand } from '../lab/pack/pack.ts';
import { playCommand } from '../support/command/played-console.ts';
import { writeZoneFile } from './lint/write-zone-file.ts';

/** Largest size of the package in bytes, as the requirements for the command state. */
const MAX_BYTES = 2_000_000;

let folder: string;
let file: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'packed-'));
  file = await packCommand(join(folder, 'package'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the example in the comment of each function that has one, by the function's name. */
const examplesOf = (source: string): [name: string, code: string][] =>
  [...source.matchAll(/@example\n([\s\S]*?) \*\/\nexport (?:async )?function (\w+)/g)].map(
    ([, lines = '', name = '']) => [name, lines.replace(/^ \*(?: {3})?/gm, '')],
  );

/** Runs the file in an empty folder, so that nothing beside it can help. */
const run = (args: readonly string[]) =>
  spawnSync(process.execPath, [file, ...args], { cwd: tmpdir(), encoding: 'utf8', env: {} });

const bytesOf = (pattern: string) =>
  globSync(pattern, { cwd: join(folder, 'package') }).reduce(
    (sum, name) => sum + statSync(join(folder, 'package', name)).size,
    0,
  );

test('the package is small, needs no other, and contains only what can be published', () => {
  expect(readdirSync(join(folder, 'package')).sort()).toEqual([
    ...['LICENSE', 'README.md', 'THIRD-PARTY-NOTICES', 'deliverability.js', 'library.js'],
    ...['package.json', 'parts', 'sbom.cdx.json', 'schemas', 'types'],
  ]);
  const readme = readFileSync(join(folder, 'package', 'README.md'), 'utf8');
  expect(readme).not.toMatch(/\]\((?!https:|#)/);
  expect(bytesOf('**/*.js')).toBeLessThan(MAX_BYTES);
  const manifest = JSON.parse(readFileSync(join(folder, 'package', 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    engines: { node: '>=20' },
    license: 'Apache-2.0',
    publishConfig: { provenance: true },
  });
  expect(manifest).not.toHaveProperty('dependencies');
  expect(manifest).not.toHaveProperty('private');
});

test.each([
  [['--help'], 0, 'deliverability COMMAND'],
  [
    ['check', '--service', 'http://127.0.0.1:1', '--retry-for', '0'],
    5,
    'The service is unavailable',
  ],
  [
    ['check', '--soft', '--service', 'http://127.0.0.1:1', '--retry-for', '0'],
    0,
    'service is unavailable',
  ],
  [['lint', 'nowhere.eml'], 2, 'cannot be read'],
  [['mcp'], 2, 'No service was given'],
])('runs %j and ends with %i', (args, exitCode, text) => {
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

describe('the bundled packages', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages;
  const inPackage = (name: string) => readFileSync(join(folder, 'package', name), 'utf8');
  /** Packages that a bundle of these imports must contain, and what it must not contain. */
  const PARTS = ['@modelcontextprotocol/server', 'mailauth', 'nodemailer', 'parse5', 'viem'];

  test('are in the inventory as in the lock file, with their licences and notices', () => {
    const { components, metadata } = JSON.parse(inPackage('sbom.cdx.json'));
    const names = components.map(({ name }: { name: string }) => name);
    for (const name of PARTS) expect(names).toContain(name);
    for (const name of ['joi', 'fastify', 'esbuild']) expect(names).not.toContain(name);
    expect(metadata.component.name).toBe('deliverability');
    const notices = inPackage('THIRD-PARTY-NOTICES')
      .split(`\n\n${'-'.repeat(80)}\n\n`)
      .slice(1);
    expect(notices.map((text) => text.split('\n')[0]).sort()).toEqual(
      components
        .map(
          (one: { name: string; version: string; licenses: { expression: string }[] }) =>
            `${one.name} ${one.version} (${one.licenses[0]?.expression})`,
        )
        .sort(),
    );
    for (const text of notices) expect(text).toMatch(/Copyright|Permission is hereby granted/i);
    for (const { 'bom-ref': ref, version, hashes } of components) {
      const entry = lock[ref.slice(ref.indexOf('#') + 1)];
      const [kind, base64] = entry.integrity.split('-');
      const content = Buffer.from(base64, 'base64').toString('hex');
      expect([version, hashes]).toEqual([
        entry.version,
        [{ alg: kind.replace('sha', 'SHA-'), content }],
      ]);
    }
  });
});

describe('installed from its tarball alone', () => {
  const place = () => join(folder, 'place');
  const npm = (args: readonly string[], cwd: string) =>
    execFileSync('npm', args, { cwd, encoding: 'utf8' });

  beforeAll(() => {
    mkdirSync(place());
    writeFileSync(join(place(), 'package.json'), '{"type":"module"}');
    npm(['pack', join(folder, 'package'), '--pack-destination', folder], folder);
    const [tarball = ''] = globSync('*.tgz', { cwd: folder });
    npm(['install', '--offline', '--no-audit', '--no-fund', join(folder, tarball)], place());
  });

  test('it is the only package, and its command runs', () => {
    expect(
      readdirSync(join(place(), 'node_modules')).filter((name) => !name.startsWith('.')),
    ).toEqual(['deliverability']);
    const bin = join(place(), 'node_modules/.bin/deliverability');
    expect(execFileSync(bin, ['--version'], { encoding: 'utf8' })).toBe('1.0.0\n');
  });

  test('the README and the examples compile under --strict, and the report is that of the service', () => {
    const [, lines = ''] =
      /```ts\n(import [\s\S]*?from 'deliverability'[\s\S]*?)```/.exec(
        readFileSync('README.md', 'utf8'),
      ) ?? [];
    writeFileSync(
      join(place(), 'readme.ts'),
      `declare function sendMyMail(address: string): Promise<void>;\n${lines}`,
    );
    const source = join(process.cwd(), 'src/domain/report/report.ts');
    const examples = examplesOf(readFileSync('src/client/library.ts', 'utf8'));
    for (const [name, code] of examples) writeFileSync(join(place(), `${name}.ts`), code);
    const files = examples.map(([name]) => `${name}.ts`);
    writeFileSync(
      join(place(), 'same.ts'),
      `import type { Report as Ours } from ${JSON.stringify(source)};
       import type { Report } from 'deliverability';
       export const there = (ours: Ours): Report => ours;
       type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T;
       export const back = (theirs: Mutable<Report>): Mutable<Ours> => theirs;`,
    );
    for (const name of ['viem', '@types'])
      symlinkSync(join(process.cwd(), 'node_modules', name), join(place(), 'node_modules', name));
    const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc');
    const args = ['--ignoreConfig', '--singleThreaded', '--noEmit', '--strict'];
    const compile = (...more: string[]) =>
      spawnSync(
        process.execPath,
        [
          ...[tsc, ...args, '--exactOptionalPropertyTypes', '--module', 'nodenext'],
          ...['--target', 'es2025', '--types', 'node', ...more],
        ],
        { cwd: place(), encoding: 'utf8' },
      ).stdout;
    expect(compile('readme.ts', ...files)).toBe('');
    expect(compile('--skipLibCheck', '--allowImportingTsExtensions', 'same.ts')).toBe('');
  });

  test('every function has an example, and those that need no service run', () => {
    const examples = new Map(examplesOf(readFileSync('src/client/library.ts', 'utf8')));
    const types = readFileSync(join(folder, 'package/types/client/library.d.ts'), 'utf8');
    const functions = [...types.matchAll(/^export declare function (\w+)/gm)].map(
      ([, name]) => name,
    );
    expect([...examples.keys()]).toEqual(functions);
    expect(examplesOf(types.replaceAll('declare ', ''))).toEqual([...examples]);
    for (const name of ['checkDomain', 'lint']) {
      writeFileSync(join(place(), `${name}.mjs`), examples.get(name) ?? '');
      const args = { cwd: place(), encoding: 'utf8' } as const;
      expect(execFileSync(process.execPath, [`${name}.mjs`], args)).not.toBe('');
    }
  });

  test('the library judges an email, and its errors have a code', () => {
    const program = `import { createTest, DeliverabilityError, lint } from 'deliverability';
      const { report, places, refusal } = await lint('From: a@example.com\\nDate: x\\n\\nHi.\\n', { ip: '192.0.2.1' });
      const error = await createTest({ service: 'http://127.0.0.1:1', retryFor: 0 }).catch((thrown) => thrown);
      console.log(JSON.stringify([report.grade, places.date_header, refusal.length, error instanceof DeliverabilityError, error.code]));`;
    writeFileSync(join(place(), 'use.mjs'), program);
    const output = execFileSync(process.execPath, ['use.mjs'], { cwd: place(), encoding: 'utf8' });
    expect(JSON.parse(output)).toEqual([
      expect.any(String),
      { line: 2, what: 'header date' },
      expect.any(Number),
      true,
      'service_unreachable',
    ]);
  });
});

/** A few cases of each area in turn. `lint.slow.test.ts` compares all of them with the service. */
const some = Object.values(allCases).flatMap((cases) =>
  cases.filter((_, index) => index % 40 === 3),
);

/**
 * Runs the file once for each command line, as the only program of its process, because starting takes most
 * of the time.
 */
const RUN_EACH = `const [file, ...lines] = process.argv.slice(1);
  process.stdout.setMaxListeners(0);
  for (const [n, line] of lines.entries()) {
    process.argv = [process.execPath, file, ...JSON.parse(line)];
    await import(\`file://\${file}?\${n}\`);
    if (process.exitCode !== 0) process.exit();
    process.stdout.write('\\0');
  }`;

test('lint of the package finds what the source finds', async () => {
  const lines: string[][] = [];
  for (const [n, one] of some.entries()) {
    const { bytes, client, from } = await arrive(one);
    const mail = join(folder, `${n}.eml`);
    const zone = join(folder, `${n}.zone`);
    writeFileSync(mail, bytes);
    writeFileSync(zone, writeZoneFile(zoneWith(one.zone)));
    const sender = from.domain === '' ? '<>' : `${from.localPart}@${from.domain}`;
    const about = ['--dns', zone, '--from', sender, '--format', 'json', '--fail-on', 'never'];
    const who = client.ip === null ? [] : ['--ip', client.ip, '--helo', client.helo ?? ''];
    lines.push(['lint', mail, ...about, ...who]);
  }
  const given = lines.map((line) => JSON.stringify(line));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', RUN_EACH, file, ...given],
    { cwd: tmpdir(), encoding: 'utf8', env: {}, maxBuffer: 100_000_000 },
  );
  expect(status, stderr).toBe(0);
  const found = stdout.split('\0');
  expect(found).toHaveLength(lines.length + 1);
  for (const [n, line] of lines.entries())
    expect(found[n], some[n]?.about).toBe((await playCommand(line)).stdout);
});
