/** Runs a real DNS resolver with zones that are signed, broken or unsigned. */

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createNewResolver } from '../../../src/adapters/dns/resolver.ts';
import { freePorts } from '../../environment/free-ports.ts';

/** True if the Debian packages unbound and bind9-utils are installed. */
export const hasNameServer =
  spawnSync('unbound', ['-V']).status === 0 &&
  spawnSync('dnssec-signzone', ['-V']).error === undefined;

export const MISSING = 'unbound or dnssec-signzone is not installed (Debian: unbound, bind9-utils)';

/** Signs a zone with keys made now. The trust anchor is the key of the zone, or another's. */
function signZone(folder: string, name: string, records: string, anchorOf = name): string {
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  const soa = `$TTL 60\n@ SOA ns1 admin 1 3600 600 86400 60\n@ NS ns1\nns1 A 192.0.2.53\n`;
  writeFileSync(join(own, 'zone'), `${soa}${records}\n`);
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, { cwd: own, encoding: 'utf8', stdio: 'pipe' }).trim();
  const make = (of: string) => run('dnssec-keygen', '-q', '-a', '13', '-f', 'KSK', of);
  const key = make(name);
  run('dnssec-keygen', '-q', '-a', '13', name);
  run('dnssec-signzone', '-S', '-q', '-o', name, '-f', 'signed', 'zone');
  const shown = readFileSync(join(own, `${anchorOf === name ? key : make(name)}.key`), 'utf8');
  writeFileSync(join(own, 'anchor'), shown.replace(/^;.*\n/gm, ''));
  return own;
}

const authZone = (name: string, file: string) =>
  `auth-zone:\n  name: "${name}"\n  zonefile: "${file}"\n  for-downstream: no\n  for-upstream: yes\n`;

/** Starts a real resolver that checks signatures, for a signed zone, a broken one and one without. */
export async function startSignedZones(
  folder: string,
  zones: { readonly signed: string; readonly broken: string; readonly plain: string },
) {
  const signed = signZone(folder, 'signed.test', zones.signed);
  const broken = signZone(folder, 'broken.test', zones.broken, 'another');
  const plain = join(folder, 'plain');
  writeFileSync(plain, `$TTL 60\n@ SOA ns1 admin 1 3600 600 86400 60\n@ NS ns1\n${zones.plain}\n`);
  const [port = 0] = await freePorts(1);
  const config = join(folder, 'unbound.conf');
  writeFileSync(
    config,
    `server:
  directory: "${folder}"
  username: ""
  chroot: ""
  pidfile: ""
  use-syslog: no
  interface: 127.0.0.1@${port}
  module-config: "validator iterator"
  trust-anchor-file: "${join(signed, 'anchor')}"
  trust-anchor-file: "${join(broken, 'anchor')}"
  ede: yes
  local-zone: "test." nodefault
remote-control:
  control-enable: no
${authZone('signed.test', join(signed, 'signed'))}${authZone('broken.test', join(broken, 'signed'))}${authZone('plain.test', plain)}`,
  );
  const server = spawn('unbound', ['-d', '-c', config], { stdio: 'ignore' });
  const address = `127.0.0.1:${port}`;
  const create = (validates: boolean) =>
    createNewResolver({ servers: [address], validates, timeoutMs: 3000, tries: 3 })();
  while ((await create(false).txt('plain.test')).status === 'failed') await pause(100);
  return {
    address,
    create,
    async stop() {
      const closed = once(server, 'exit');
      server.kill();
      await closed;
    },
  };
}
