/**
 * Tests how the service reads its settings and their defaults, and that `.env.example`, the compose
 * file and the image agree with them.
 */

import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { requestAddress } from '../../src/api/request-address.ts';
import { readConfig } from '../../src/config/config.ts';
import { ConfigError, readValues } from '../../src/config/environment.ts';
import { REMOVED, table } from '../../src/config/settings.ts';
import { walletKeyFile } from '../support/payments/wallet-key-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const wallet = walletKeyFile(folder);
const needed = {
  X402_PAY_TO: `0x${'4'.repeat(40)}`,
  X402_RPC_URL: 'http://127.0.0.1:8545',
  X402_WALLET_KEY_FILE: wallet,
};

/** Returns the message of a refusal, or an empty text if nothing is refused. */
function faultsOf(env: Record<string, string>): string {
  try {
    readConfig(env);
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

test('the settings needed to sell are enough; the rest has defaults', () => {
  expect(readConfig(needed)).toMatchObject({
    mailDomain: 'localhost',
    http: { port: 8080, metricsPort: 9464, rateLimits: { create: 30 } },
    smtp: { port: 2525, maxMessageBytes: 10_485_760, hostname: 'localhost' },
    durations: { receiveWindowSeconds: 3600, retentionSeconds: 86_400 },
    payment: { network: 'eip155:8453', amount: '50000', facilitatorUrl: null },
  });
});

test.each(['https://example.com/mail/', 'https://example.com/mail'])(
  'the public address may be below a path: %s',
  (BASE_URL) => {
    expect(readConfig({ ...needed, BASE_URL }).http.baseUrl).toBe('https://example.com/mail');
  },
);

test('a setting without a value or default is null, whatever its kind accepts', () => {
  const { values } = readValues(needed);
  const empty = Object.entries(table)
    .filter(([name, { fallback }]) => fallback === null && !(name in needed))
    .map(([name]) => [name, values[name as keyof typeof values]]);
  expect(empty.filter(([, value]) => value !== null)).toEqual([]);
});

test('without a payee, a node and a wallet the service says so, all in one message', () => {
  const message = faultsOf({});
  for (const name of ['X402_PAY_TO', 'X402_RPC_URL', 'X402_WALLET_KEY_FILE'])
    expect(message).toContain(name);
});

test('a wrong setting is not also reported as missing', () => {
  const noWallet = walletKeyFile(folder, 0o600, 'no key');
  const message = faultsOf({ ...needed, X402_PAY_TO: '0x12', X402_WALLET_KEY_FILE: noWallet });
  expect(message.split('\n').slice(1)).toEqual([
    expect.stringMatching(/^ {2}X402_PAY_TO must be a non-zero address/),
    expect.stringMatching(/^ {2}X402_WALLET_KEY_FILE must name a file with one line/),
  ]);
});

test('the inbound endpoint is open with a secret alone', () => {
  const INBOUND_TOKEN = 'a-long-and-random-one';
  expect(faultsOf({ ...needed, INBOUND_TOKEN: 'with a space' })).not.toContain('with a space');
  expect(readConfig({ ...needed, INBOUND_TOKEN }).inboundToken).toBe(INBOUND_TOKEN);
  expect(readConfig(needed).inboundToken).toBeNull();
});

test('relays of several protocols may be neighbours', () => {
  const { relays } = readConfig({
    ...needed,
    SMTP_XCLIENT_FROM: '10.0.0.0/25, 2001:db8::/64',
    SMTP_XFORWARD_FROM: '10.0.0.128/25,2001:db8:0:1::/64',
    SMTP_PROXY_FROM: '127.0.0.1/32',
  }).smtp;
  expect(relays.proxy).toEqual(['127.0.0.1/32']);
  expect(relays.xforward).toHaveLength(2);
});

test('all private networks may be proxies', () => {
  const TRUST_PROXY = '127.0.0.1,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7,fe80::/10';
  const { trustProxy } = readConfig({ ...needed, TRUST_PROXY }).http;
  expect(trustProxy).toEqual(TRUST_PROXY.split(','));
  expect(() => requestAddress(trustProxy)).not.toThrow();
});

test.each(['http://127.0.0.1:4318', 'http://127.0.0.1:4318/', 'http://127.0.0.1:4318/v1/traces/'])(
  'the path for traces is appended once to %s',
  (OTEL_EXPORTER_OTLP_ENDPOINT) => {
    const { tracesEndpoint } = readConfig({ ...needed, OTEL_EXPORTER_OTLP_ENDPOINT });
    expect(tracesEndpoint).toBe('http://127.0.0.1:4318');
  },
);

test('a wrong secret is not shown', () => {
  const message = faultsOf({ ...needed, X402_WALLET_KEY_FILE: 'hunter2-not-a-path' });
  expect(message).not.toContain('hunter2');
});

test('.env.example shows the defaults', () => {
  const listed = parseEnv(readFileSync('.env.example', 'utf8')) as Record<string, string>;
  const { replicaId: _, ...config } = readConfig({ ...listed, ...needed });
  const { replicaId: __, ...defaults } = readConfig(needed);
  expect(config).toEqual(defaults);
});

test('a former setting is named, not refused, and changes nothing', () => {
  const set = Object.fromEntries(REMOVED.map((name) => [name, '1']));
  const { removed, ...config } = readConfig({ ...needed, ...set });
  const { removed: none, ...defaults } = readConfig({ ...needed, RETENTION_SECONDS: '' });
  expect(removed).toEqual(REMOVED);
  expect(none).toEqual([]);
  expect(config).toEqual(defaults);
});

test('the tests and the docs set no former setting', () => {
  const files = globSync('{test,docs,src}/**/*.{ts,mjs,md,yml,service}').filter(
    (file) => !/^test\/(config|main)|CHANGELOG|^src\/config\/settings/.test(file),
  );
  const isRemoved = new RegExp(`(?<![\\w-])(?:${REMOVED.join('|')})['"\`]?[:=]`);
  expect(files.filter((file) => isRemoved.test(readFileSync(file, 'utf8')))).toEqual([]);
});

test('the chain decides which USDC is paid', () => {
  const { payment } = readConfig({ ...needed, X402_NETWORK: 'eip155:84532' });
  expect(payment).toMatchObject({
    asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    assetName: 'USDC',
  });
});

test('a facilitator replaces a wallet', () => {
  const { X402_WALLET_KEY_FILE: _, ...others } = needed;
  const X402_FACILITATOR_URL = 'https://facilitator.example';
  expect(readConfig({ ...others, X402_FACILITATOR_URL }).payment).toMatchObject({
    facilitatorUrl: X402_FACILITATOR_URL,
    walletKey: null,
  });
});

test('every default is a value that its setting may have', () => {
  for (const [name, { kind, fallback }] of Object.entries(table))
    if (fallback !== null) expect(kind.parse(fallback), name).toBeDefined();
});

test('docker-compose.yml passes every setting to the service', () => {
  const { services } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true });
  const handed = Object.keys(services.service.environment);
  const listed = Object.keys(parseEnv(readFileSync('.env.example', 'utf8')));
  expect(listed.filter((name) => !handed.includes(name))).toEqual([]);
  expect(handed).toEqual(Object.keys(table));
});

test.each(Object.entries(table))('%s changes what the service is told', (name, row) => {
  const usual = readConfig(needed);
  const { kind } = row;
  const readAs = (value: unknown) => {
    Object.assign(row, { kind: { ...kind, parse: () => value } });
    try {
      return readConfig({ ...needed, [name]: 'x' });
    } catch (error) {
      // The value was read, and nothing can be made of it.
      return error;
    } finally {
      Object.assign(row, { kind });
    }
  };
  expect([{ odd: true }, 'on', 'off'].map(readAs)).not.toEqual([usual, usual, usual]);
});

test('the image installs no development package, and copies no test', () => {
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  expect(dockerfile.match(/npm ci .*/g)).toEqual([
    'npm ci --omit=dev --omit=optional --ignore-scripts',
  ]);
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, from = '']) =>
    from.split(' '),
  );
  expect([...new Set(copied)].sort()).toEqual(
    ['package.json', 'package-lock.json', '.npmrc', 'LICENSE', 'machines', 'src'].sort(),
  );
});
