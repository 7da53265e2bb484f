/**
 * Tests how the setup finds an installed nats-server, and in which order it tries the package
 * archives to download one.
 */

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { archivesOf, findNatsServer } from '../../src/setup/nats-server.mjs';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'find-nats-'));
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Creates a program that responds to `--version` as nats-server does. */
function server(name: string, version: string): string {
  const file = join(dir, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\necho "nats-server: v${version}"\n`);
  chmodSync(file, 0o755);
  return file;
}

const env = () => ({
  PATH: `${join(dir, 'a')}:${join(dir, 'b')}`,
  XDG_CACHE_HOME: join(dir, 'cache'),
});

const cached = 'cache/email-deliverability-test/nats-server/nats-server';

test('the PATH takes precedence over the cache', () => {
  server(cached, '2.15.1');
  const bin = server('b/nats-server', '2.10.0');
  expect(findNatsServer(env())?.bin).toBe(bin);
});

test('a nats-server on the PATH that is too old is skipped', () => {
  server('a/nats-server', '2.9.25');
  const bin = server(cached, '2.10.27');
  expect(findNatsServer(env())).toEqual({ bin, version: '2.10.27' });
});

test('if none is new enough, none is found', () => {
  server('a/nats-server', '2.9.25');
  server('b/nats-server', 'ersatz');
  expect(findNatsServer(env())).toBeUndefined();
});

test('the main archive comes before security updates and third parties', () => {
  const bases = `
    https://node.example/node_20.x/
    http://mirror.example/debian-security/
    http://mirror.example/debian/
    http://mirror.example/debian/`;
  expect(archivesOf(bases)).toEqual([
    'http://mirror.example/debian/',
    'https://node.example/node_20.x/',
    'http://mirror.example/debian-security/',
  ]);
});

test('without apt-get there is no archive', () => {
  expect(archivesOf('')).toEqual([]);
});
