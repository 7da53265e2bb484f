/**
 * Tests that everything the project fetches is pinned by a hash, that shipped packages have an
 * allowed licence, and that the inventory is complete.
 */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { serviceSbom } from '../../run/sbom.mjs';
import { checkImages, checkLock, checkWorkflow } from './check.ts';
import { runSupply } from './supply.ts';

interface LockEntry {
  readonly version: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
}

const hashed = { version: '1.0.0', integrity: 'sha512-AAAA', license: 'MIT' };
const DIGEST = `sha256:${'a'.repeat(64)}`;

test('everything that this project fetches on this machine has a hash', async () => {
  expect(await runSupply([])).toBe(0);
});

test('the inventory of the service has every package of production, Node.js and nats-server', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const expected = Object.entries(packages as Record<string, LockEntry>)
    .filter(([path, { dev, optional, devOptional }]) => path && !dev && !optional && !devOptional)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`);
  const { components, metadata } = serviceSbom();
  const listed = (components as { name: string; version: string }[]).map(
    ({ name, version }) => `${name}@${version}`,
  );
  expect(metadata.component.name).toBe('email-deliverability-test');
  expect(listed.slice(0, 2)).toEqual(['node@24.21.0', 'nats-server@2.15']);
  expect(listed.slice(2).sort()).toEqual(expected.sort());
  for (const name of ['viem', 'xstate', 'mailauth'])
    expect(listed.some((one) => one.startsWith(`${name}@`))).toBe(true);
});

test('a package without a hash is named', () => {
  const { integrity: _, ...bare } = hashed;
  const { faults } = checkLock({ '': {}, 'node_modules/@a/b': bare });
  expect(faults).toEqual(['package-lock.json: @a/b@1.0.0 has no hash']);
});

test('a hash of a broken kind does not count', () => {
  const weak = { ...hashed, integrity: 'sha1-AAAA' };
  expect(checkLock({ 'node_modules/a': weak }).faults).toHaveLength(1);
});

test('a package that is shipped under another licence is named, but not a tool', () => {
  const other = { ...hashed, license: 'GPL-3.0-only' };
  expect(checkLock({ 'node_modules/a': other }).faults).toHaveLength(1);
  expect(checkLock({ 'node_modules/a': { ...other, dev: true } }).faults).toEqual([]);
  expect(checkLock({ 'node_modules/a': { ...other, license: '(GPL-3.0 OR MIT)' } }).faults).toEqual(
    [],
  );
});

test('a package for another platform is counted, although nothing fetches it here', () => {
  const other = { version: '1.0.0', os: ['aix'] };
  expect(checkLock({ 'node_modules/a': other })).toEqual({ faults: [], unhashedElsewhere: 1 });
});

test('an action that is named by a tag is named', () => {
  expect(checkWorkflow('ci.yml', '  - uses: actions/checkout@v7 # latest\n')).toHaveLength(1);
  expect(checkWorkflow('ci.yml', `  - uses: actions/checkout@${'a'.repeat(40)} # v7\n`)).toEqual(
    [],
  );
  expect(checkWorkflow('ci.yml', '  - uses: ./.github/actions/mine\n')).toEqual([]);
});

test('an image without a digest is named, wherever it is used', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  expect(checkImages('Dockerfile', dockerfile, {}).length).toBeGreaterThan(1);
  const digests = { 'caddy:2-alpine': DIGEST };
  expect(checkImages('c.yml', '    image: caddy:2-alpine\n', digests)).toEqual([]);
  expect(
    checkImages('c.yml', '    image: caddy:2-alpine\n', { 'caddy:2-alpine': '' }),
  ).toHaveLength(1);
});
