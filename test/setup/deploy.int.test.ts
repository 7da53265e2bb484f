/** Tests the deployment files with the real nats-server, Docker and systemd tools. */

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { needs } from '../support/process/needs.ts';

const home = mkdtempSync(join(tmpdir(), 'deploy-'));
spawnSync('/bin/sh', ['docs/deploy/make-secrets.sh', home]);
afterAll(() => rmSync(home, { recursive: true }));

/** Starts a node as docker-compose.yml and the systemd unit do, but only to read its configuration. */
const check = () => {
  const hosts = ['nats-1', 'nats-2', 'nats-3'];
  const server = ['nats-server', '-t', '-c', 'nats.conf'];
  const args = ['docs/deploy/nats-node.sh', 'nats-1', '/data', home, ...hosts, '--', ...server];
  return spawnSync('/bin/sh', args, { encoding: 'utf8', env: { PATH: process.env.PATH } });
};

test('nats-server accepts the configuration of a cluster’s node', () => {
  const { status, stderr } = check();
  expect(stderr).toContain('nats.conf is valid');
  expect(status).toBe(0);
});

test.each(['nats_password', 'nats_operator_password', 'nats_cluster_password', 'nats_js_key'])(
  'a node accepts a %s that looks like a number, and does not start without it',
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

test('a renewed certificate and the one in use are both trusted, until the next renewal', () => {
  const script = 'docs/deploy/make-secrets.sh';
  const folder = mkdtempSync(join(tmpdir(), 'renewal-'));
  const make = (...args: readonly string[]) =>
    spawnSync('/bin/sh', [script, ...args], { encoding: 'utf8' });
  const believed = (name: string) =>
    spawnSync('openssl', ['verify', '-CAfile', 'nats_ca.pem', name], { cwd: folder }).status === 0;
  try {
    expect(make('--renew', folder).stderr).toContain('without --renew');
    make(folder);
    expect(make('--renew', folder).status).toBe(0);
    expect([believed('nats_cert.pem'), believed('next/nats_cert.pem')]).toEqual([true, true]);
    // Another renewal would drop the authority of the certificates in use.
    expect(make('--renew', folder)).toMatchObject({ status: 1 });
    for (const name of ['nats_cert.pem', 'nats_key.pem'])
      copyFileSync(join(folder, 'next', name), join(folder, name));
    expect(make('--renew', folder).status).toBe(0);
    expect([believed('nats_cert.pem'), believed('next/nats_cert.pem')]).toEqual([true, true]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/**
 * Runs the command with which `docker-compose.yml` starts a node; `server` is run instead of nats-server.
 */
function entrypoint(server: string, env: Readonly<Record<string, string>> = {}) {
  const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true });
  const [shell = '', ...args] = compose.services['nats-1'].entrypoint as string[];
  const here = args.map((text) =>
    text
      .replaceAll('$$', '$')
      .replace('/etc/nats/node.sh', 'docs/deploy/nats-node.sh')
      .replace('/run/secrets', home)
      .replace('nats-server -c /etc/nats/nats.conf', server),
  );
  const options = { encoding: 'utf8', env: { PATH: process.env.PATH, ...env } } as const;
  return spawnSync(shell, here, options);
}

test('a node of docker-compose.yml has routes to the three of its machine, or to three machines', () => {
  const routesTo = (env?: Readonly<Record<string, string>>) =>
    [...entrypoint('printenv NATS_ROUTES', env).stdout.matchAll(/@([^"]+)"/g)].map(([, at]) => at);
  expect(routesTo()).toEqual(['nats-1:6222', 'nats-2:6222', 'nats-3:6222']);
  const NATS_HOSTS = 'a.example b.example 192.0.2.3';
  expect(routesTo({ NATS_HOSTS })).toEqual(['a.example:6222', 'b.example:6222', '192.0.2.3:6222']);
  const { status } = entrypoint('nats-server -t -c nats.conf', { NATS_HOSTS });
  expect(status).toBe(0);
});

const isThere = (...command: string[]) => {
  const [program = '', ...args] = command;
  return spawnSync(program, [...args, 'version']).status === 0;
};

// Version 1 is a program, and version 2 is a plug-in of docker.
for (const command of [['docker-compose'], ['docker', 'compose']])
  test(`${command.join(' ')} raises no objection`, (context) => {
    needs(context, isThere(...command), `${command.join(' ')} is not installed`);
    const [program = '', ...first] = [...command, '-f', 'docker-compose.yml'];
    const names = { NODE: 'nats-2', NATS_HOSTS: 'a b c', NATS_URL: 'tls://a,tls://b,tls://c' };
    const check = (...more: readonly string[]) =>
      spawnSync(program, [...first, ...more, 'config', '--quiet'], {
        encoding: 'utf8',
        env: { ...process.env, ...names },
      });
    expect(check()).toMatchObject({ status: 0, stderr: '' });
    expect(check('-f', 'docs/deploy/machine.yml')).toMatchObject({ status: 0, stderr: '' });
  });

test('systemd raises no objection to the units', (context) => {
  const verify = spawnSync('systemd-analyze', ['--version']).status === 0;
  needs(context, verify, 'systemd-analyze is not installed');
  const folder = 'docs/deploy/systemd';
  const units = readdirSync(folder).map((name) => join(folder, name));
  expect(units).toHaveLength(3);
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...units], {
    encoding: 'utf8',
  });
  // A program that is not installed here is not a fault of a unit.
  const faults = stderr.split('\n').filter((line) => line && !/is not executable/.test(line));
  expect(faults).toEqual([]);
  expect(stderr === '' ? status : 0).toBe(0);
});

test('the certbot hook puts both files in place, for one user only, and needs no other', () => {
  const [issued, smtp] = [mkdtempSync(join(tmpdir(), 'issued-')), join(home, 'smtp')];
  onTestFinished(() => rmSync(issued, { recursive: true }));
  const hook = (text: string) => {
    for (const name of ['fullchain', 'privkey'])
      writeFileSync(join(issued, `${name}.pem`), `${name} ${text}`);
    const env = { PATH: process.env.PATH, OWNER: userInfo().username, RENEWED_LINEAGE: issued };
    return spawnSync('/bin/sh', ['docs/deploy/smtp-certificate.sh', smtp], { env }).status;
  };
  expect([hook('first'), hook('second')]).toEqual([0, 0]);
  expect(readdirSync(smtp).sort()).toEqual(['cert.pem', 'key.pem']);
  expect(readFileSync(join(smtp, 'cert.pem'), 'utf8')).toBe('fullchain second');
  expect(readFileSync(join(smtp, 'key.pem'), 'utf8')).toBe('privkey second');
  expect(statSync(join(smtp, 'key.pem')).mode & 0o777).toBe(0o400);
});
