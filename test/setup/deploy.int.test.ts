import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { findNatsServer } from '../../src/setup/nats-server.mjs';
import { needs } from '../support/process/needs.ts';

/** Values that would be numbers, were they not quoted. */
const secrets = {
  NATS_PASSWORD: '"123"',
  NATS_CLUSTER_PASSWORD: '"12e5"',
  NATS_JS_KEY: '"00"',
};

const node = {
  NATS_NAME: '"nats-1"',
  NATS_ROUTES: '[ "nats://cluster:12e5@nats-2:6222", "nats://cluster:12e5@nats-3:6222" ]',
  NATS_STORE_DIR: '"/data"',
};

const check = (env: Record<string, string>) =>
  spawnSync(findNatsServer().bin, ['-t', '-c', 'nats.conf'], { encoding: 'utf8', env });

test('nats-server takes the configuration of a cluster’s node', () => {
  const { status, stderr } = check({ ...node, ...secrets });
  expect(stderr).toContain('nats.conf is valid');
  expect(status).toBe(0);
});

test.each(Object.keys(secrets))('a node without %s does not start', (name) => {
  const others = Object.entries(secrets).filter(([other]) => other !== name);
  const { status, stderr } = check({ ...node, ...Object.fromEntries(others) });
  expect(stderr).toContain(name);
  expect(status).not.toBe(0);
});

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
