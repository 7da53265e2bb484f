/** Tests how the setup finds or downloads Node.js. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { provideNode } from '../../src/setup/node.mjs';

const dir = mkdtempSync(join(tmpdir(), 'node-'));
const execPath = '/usr/bin/node';

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true, force: true });
});

test.each([
  ['v24.0.0', 'linux', 'x64'],
  ['v26.1.0', 'darwin', 'arm64'],
] as const)('Node.js %s on %s-%s is accepted', async (version, platform, arch) => {
  expect(await provideNode({ version, platform, arch, execPath })).toBe(execPath);
});

test.each([
  ['v20.20.2', 'linux', 'x64'],
  ['v22.1.0', 'linux', 'arm64'],
] as const)(
  'instead of Node.js %s on %s-%s, the one in the cache is used',
  async (version, platform, arch) => {
    vi.stubEnv('XDG_CACHE_HOME', dir);
    const cached = join(
      dir,
      'email-deliverability-test',
      `node-${platform}-${arch}-24.21.0`,
      'node',
    );
    mkdirSync(dirname(cached), { recursive: true });
    writeFileSync(cached, '');
    expect(await provideNode({ version, platform, arch, execPath })).toBe(cached);
  },
);

test('without a package for this machine, the message asks for a newer Node.js', async () => {
  const running = { version: 'v20.1.0', platform: 'darwin', arch: 'arm64', execPath } as const;
  await expect(provideNode(running)).rejects.toThrow(
    'This is Node.js v20.1.0. Install Node.js 24 or newer, then run this again.',
  );
});
