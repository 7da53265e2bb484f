/** Tests how the launcher reads the `.env` file. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { readSettings } from '../../src/setup/launch.mjs';

const dir = mkdtempSync(join(tmpdir(), 'settings-'));
const file = join(dir, '.env');

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(file, { force: true });
});
afterAll(() => rmSync(dir, { recursive: true }));

test.each([
  ['NATS_URL=nats://one:4222', 'nats://one:4222'],
  ['A=1\n export NATS_URL = "nats://one:4222" # here\n', 'nats://one:4222'],
  ['NATS_URL=\nNATS_USER=service', ''],
  ['# NATS_URL=nats://one:4222', undefined],
  ['', undefined],
])('from %j, the address is %j', (text, url) => {
  vi.stubEnv('NATS_URL', undefined);
  writeFileSync(file, text);
  expect(readSettings(file).NATS_URL).toBe(url);
});

test('the environment takes precedence over the file, which need not exist', () => {
  vi.stubEnv('NATS_URL', 'nats://two:4222');
  expect(readSettings(file).NATS_URL).toBe('nats://two:4222');
  writeFileSync(file, 'NATS_URL=nats://one:4222');
  expect(readSettings(file).NATS_URL).toBe('nats://two:4222');
});
