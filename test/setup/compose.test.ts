/** Tests the safety of docker-compose.yml: privileges, limits, networks and secrets. */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

interface Part {
  readonly build?: unknown;
  readonly image?: string;
  readonly logging?: object;
  readonly healthcheck?: object;
  readonly secrets?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly read_only?: boolean;
  readonly ports?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly mem_limit?: string;
  readonly memswap_limit?: string;
}

const compose = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true }) as {
  readonly services: Readonly<Record<string, Part>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
};
const parts = Object.entries(compose.services);
const nats = compose.services['nats-1'];

test.each(parts)(
  '%s cannot write to its image, has no capability, and its log is rotated',
  (_, part) => {
    expect(part).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      logging: { options: { 'max-size': expect.any(String), 'max-file': expect.any(String) } },
    });
  },
);

test('all parts have a health check, except the one that ends', () => {
  const without = parts.filter(([, { healthcheck }]) => !healthcheck).map(([name]) => name);
  // The health check of the service is in its image.
  expect(without).toEqual(['service', 'streams']);
  expect(readFileSync('Dockerfile', 'utf8')).toContain('HEALTHCHECK');
});

/** Returns MiB for a text such as `2g`, `1500MiB` or `2G`, as it is without a setting. */
const mib = (text = '') => {
  const [, value, unit] = /(\d+)(g|MiB)\}?$/i.exec(text) ?? [];
  return Number(value) * (unit?.toLowerCase() === 'g' ? 1024 : 1);
};

test('each node has a memory limit and no swap, and its runtime has a lower one', () => {
  for (const name of ['nats-1', 'nats-2', 'nats-3']) {
    const { mem_limit, memswap_limit, environment } = compose.services[name] ?? {};
    expect(mib(mem_limit)).toBe(2048);
    expect(memswap_limit).toBe(mem_limit);
    expect(mib(environment?.GOMEMLIMIT)).toBeLessThan(mib(mem_limit) * 0.8);
  }
  const unit = readFileSync('docs/deploy/systemd/deliverability-nats.service', 'utf8');
  const of = (name: string) => mib(new RegExp(`^${name}=(\\S+)$`, 'm').exec(unit)?.[1]);
  expect(of('MemoryMax')).toBe(2048);
  expect(unit).toMatch(/^MemorySwapMax=0$/m);
  expect(of('Environment=GOMEMLIMIT')).toBeLessThan(of('MemoryMax') * 0.8);
});

test('only the operator has the operator’s password', () => {
  const holders = parts.filter(([, { secrets = [] }]) =>
    secrets.includes('nats_operator_password'),
  );
  expect(holders.map(([name]) => name)).toEqual(['streams', 'nats-1', 'nats-2', 'nats-3']);
  expect(compose.services.service?.environment?.NATS_USER).toBe('service');
  expect(compose.services.streams?.environment?.NATS_USER).toBe('operator');
});

test('the log is reached over TLS only, and from no other network', () => {
  expect(compose.services.service?.environment?.NATS_URL).toMatch(/^(tls:\/\/[^,]+,?)+$/);
  for (const name of ['nats-1', 'nats-2', 'nats-3'])
    expect(compose.services[name]?.ports).toBeUndefined();
});

test('each node gets every variable that its configuration takes from the environment', () => {
  expect(nats?.entrypoint?.join(' ')).toContain('/etc/nats/node.sh');
  const script = readFileSync('docs/deploy/nats-node.sh', 'utf8');
  const wanted = new Set(
    [...readFileSync('nats.conf', 'utf8').matchAll(/^[^#\n]*:? \$(NATS_\w+)/gm)].map(
      ([, name]) => name,
    ),
  );
  expect(wanted.size).toBeGreaterThan(8);
  for (const name of wanted) expect(script).toMatch(new RegExp(`\\b${name}=`));
});

test('every secret that a part reads is declared, and each except the wallet is made by the script', () => {
  const used = new Set(parts.flatMap(([, { secrets = [] }]) => secrets));
  expect(Object.keys(compose.secrets).sort()).toEqual([...used].sort());
  const home = mkdtempSync(join(tmpdir(), 'secrets-'));
  execFileSync('/bin/sh', ['docs/deploy/make-secrets.sh', home]);
  const made = readdirSync(home);
  rmSync(home, { recursive: true });
  expect([...used].filter((name) => !made.includes(name))).toEqual(['wallet_key']);
});

test('one of three machines runs one node, which the others reach', () => {
  const machine = parse(readFileSync('docs/deploy/machine.yml', 'utf8')) as typeof compose & {
    readonly services: Readonly<Record<string, { readonly profiles?: readonly string[] }>>;
  };
  const { 'nats-1': node, service, streams, ...others } = machine.services;
  expect(node?.ports).toEqual(['4222:4222', '6222:6222']);
  expect(Object.keys(others)).toEqual(['nats-2', 'nats-3']);
  for (const other of Object.values(others)) expect(other.profiles).toEqual(['elsewhere']);
  for (const part of [service, streams])
    expect(part?.environment?.NATS_URL).toMatch(/^\$\{NATS_URL:\?/);
});

test('each third-party image is named once', () => {
  const files = ['docker-compose.yml', 'Dockerfile', 'docs/deploy/resolver.Dockerfile'];
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const images = [...text.matchAll(/^\s*(?:image:|FROM) ([\w./-]+:\S+)/gm)].map(([, name]) => name);
  expect(images.length).toBeGreaterThan(3);
  expect(new Set(images).size).toBe(images.length);
  expect(text).not.toMatch(/--from=\S+:/);
});
