import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findNatsServer } from '../../src/setup/nats-server.mjs';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'find-nats-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A program that answers `--version` as nats-server does. */
function server(name: string, version: string): string {
  const file = join(dir, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho "nats-server: v${version}"\n`);
  chmodSync(file, 0o755);
  return file;
}

const env = (more: Record<string, string> = {}) => ({
  PATH: `${join(dir, 'a')}:${join(dir, 'b')}`,
  XDG_CACHE_HOME: join(dir, 'cache'),
  ...more,
});

const cached = 'cache/email-deliverability-test/nats-server/nats-server';

test('NATS_SERVER_BIN comes before the PATH', () => {
  server('a/nats-server', '2.15.1');
  const bin = server('mine', '2.11.0');
  expect(findNatsServer(env({ NATS_SERVER_BIN: bin }))).toEqual({ bin, version: '2.11.0' });
});

test('the PATH comes before the cache', () => {
  server(cached, '2.15.1');
  const bin = server('b/nats-server', '2.10.0');
  expect(findNatsServer(env()).bin).toBe(bin);
});

test('one on the PATH that is too old is skipped', () => {
  server('a/nats-server', '2.9.25');
  const bin = server(cached, '2.10.27');
  expect(findNatsServer(env())).toEqual({ bin, version: '2.10.27' });
});

test.each([
  ['is too old', '2.9.25', 'is version 2.9.25'],
  ['prints no version', 'ersatz', 'cannot be run here'],
])('a NATS_SERVER_BIN that %s is refused by name', (_, version, fault) => {
  server('a/nats-server', '2.15.1');
  const bin = server('mine', version);
  expect(() => findNatsServer(env({ NATS_SERVER_BIN: bin }))).toThrow(
    `NATS_SERVER_BIN names ${bin}, which ${fault}. Name a nats-server 2.10 or newer.`,
  );
});
