import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findNatsServer } from '../../src/setup/nats-server.mjs';
import { needs } from '../support/process/needs.ts';

const home = mkdtempSync(join(tmpdir(), 'deploy-'));
spawnSync('/bin/sh', ['docs/deploy/make-secrets.sh', home]);
afterAll(() => rmSync(home, { recursive: true }));

/** As docker-compose.yml and the systemd unit start a node, but it only reads its configuration. */
const check = () => {
  const hosts = ['nats-1', 'nats-2', 'nats-3'];
  const server = [findNatsServer().bin, '-t', '-c', 'nats.conf'];
  const args = ['docs/deploy/nats-node.sh', 'nats-1', '/data', home, ...hosts, '--', ...server];
  return spawnSync('/bin/sh', args, { encoding: 'utf8', env: { PATH: process.env.PATH } });
};

test('nats-server takes the configuration of a cluster’s node', () => {
  const { status, stderr } = check();
  expect(stderr).toContain('nats.conf is valid');
  expect(status).toBe(0);
});

test.each(['nats_password', 'nats_operator_password', 'nats_cluster_password', 'nats_js_key'])(
  'a node takes a %s that reads like a number, and does not start without it',
  (name) => {
    writeFileSync(join(home, name), '12e5\n');
    expect(check().status).toBe(0);
    rmSync(join(home, name));
    const { status, stderr } = check();
    expect(stderr).toContain(name);
    expect(status).not.toBe(0);
    spawnSync('/bin/sh', ['docs/deploy/make-secrets.sh', home]);
  },
);

const isThere = (...command: string[]) => {
  const [program = '', ...args] = command;
  return spawnSync(program, [...args, 'version']).status === 0;
};

// Version 1 is a program, version 2 a plug-in of docker.
for (const command of [['docker-compose'], ['docker', 'compose']])
  test(`${command.join(' ')} has nothing to object`, (context) => {
    needs(context, isThere(...command), `${command.join(' ')} is not installed`);
    const [program = '', ...args] = [...command, '-f', 'docker-compose.yml', 'config', '--quiet'];
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

test('systemd has nothing to object to the units', (context) => {
  const verify = spawnSync('systemd-analyze', ['--version']).status === 0;
  needs(context, verify, 'systemd-analyze is not installed');
  const folder = 'docs/deploy/systemd';
  const units = readdirSync(folder).map((name) => join(folder, name));
  expect(units).toHaveLength(3);
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...units], {
    encoding: 'utf8',
  });
  // What is not installed here is no fault of a unit.
  const faults = stderr.split('\n').filter((line) => line && !/is not executable/.test(line));
  expect(faults).toEqual([]);
  expect(stderr === '' ? status : 0).toBe(0);
});
