import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { npmCli } from '../../src/setup/npm.mjs';

let dir: string;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'find-npm-')));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

function file(name: string): string {
  const path = join(dir, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
  return path;
}

test('the npm that called is taken', () => {
  const called = file('called/npm-cli.js');
  expect(npmCli({ npm_execpath: called, PATH: '' })).toBe(called);
});

test('when another package manager called, the npm on the PATH is used', () => {
  const called = file('yarn/yarn.js');
  const npm = file('lib/npm/bin/npm-cli.js');
  mkdirSync(join(dir, 'bin'));
  symlinkSync(npm, join(dir, 'bin', 'npm'));
  expect(npmCli({ npm_execpath: called, PATH: join(dir, 'bin') })).toBe(npm);
});
