import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const COPIED = [
  'src',
  'machines',
  'test',
  'docs/api',
  'package.json',
  'tsconfig.json',
  '.biome.json',
];

/** The tests that hold the list of checks to something. */
const HOLDERS = [
  'test/analysis/checks.test.ts',
  'test/analysis/report.test.ts',
  'test/analysis/sample.test.ts',
  'test/analysis/whole/coverage.test.ts',
  'test/api/discovery.test.ts',
  'test/api/openapi.test.ts',
];

/** Several programs run one after the other, each of which starts slowly on busy cores. */
const MINUTES = 10 * 60_000;

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'new-check-'));
  for (const one of COPIED) cpSync(one, join(copy, one), { recursive: true });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const run = (program: string, ...args: string[]) =>
  spawnSync(process.execPath, [program, ...args], { cwd: copy, encoding: 'utf8' });

const newCheck = (...args: string[]) => run('test/tools/cli.ts', 'new-check', ...args);

const failing = () => {
  const report = ['--reporter=json', '--outputFile=failing.json'];
  const options = ['run', '-c', 'test/vitest.config.ts', '--project', 'unit', ...report];
  run('node_modules/vitest/vitest.mjs', ...options, ...HOLDERS);
  const { testResults } = JSON.parse(readFileSync(join(copy, 'failing.json'), 'utf8'));
  return (testResults as { assertionResults: { status: string; title: string }[] }[])
    .flatMap(({ assertionResults }) => assertionResults)
    .flatMap(({ status, title }) => (status === 'failed' ? [title] : []));
};

test.each([
  [['spf'], 'lower-case words'],
  [['spf_record'], 'already'],
  [['quite_new'], '--signal is one of arc, '],
  [['quite_new', '--signal', 'names'], '--signal is one of arc, '],
])('%j is refused with the reason', (args, reason) => {
  const { status, stderr } = newCheck(...args);
  expect(stderr).toContain(reason);
  expect(status).toBe(2);
});

test(
  'the skeleton passes types and lint, and fails only where judgement is needed',
  () => {
    const { status, stdout } = newCheck('quite_new', '--signal', 'spf');
    expect(status).toBe(0);
    const files = [...stdout.matchAll(/^ {2}((?:src|test)\/.*)$/gm)].map(([, file = '']) => file);
    expect(files).toHaveLength(6);

    const bin = (name: string) => join('node_modules', '.bin', name);
    execFileSync(bin('tsc'), ['--noEmit'], { cwd: copy });
    const lint = ['check', '--config-path', '.biome.json', '--error-on-warnings'];
    const sources = files.filter((file) => file.endsWith('.ts'));
    execFileSync(bin('biome'), [...lint, ...sources], { cwd: copy });

    const titles = failing().map((title) => title.replace(/ \(case \d+\)$/, ''));
    expect(titles.sort()).toEqual([
      'quite_new has a fix, a reference and the meaning of each state in words',
      'quite_new has a title that says what is looked at: …',
      'quite_new: pass 0 has a detail that says something',
      'quite_new: warn 1',
      'quite_new: warn 1 has a detail that says something',
    ]);
  },
  MINUTES,
);
