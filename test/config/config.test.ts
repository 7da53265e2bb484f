import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/reader.ts';

const wallet = new URL('../fixtures/wallet-key', import.meta.url).pathname;
const needed = {
  X402_PAY_TO: `0x${'4'.repeat(40)}`,
  X402_RPC_URL: 'http://127.0.0.1:8545',
  X402_WALLET_KEY_FILE: wallet,
};

/** The message of a refusal; empty when nothing is refused. */
function faultsOf(env: Record<string, string>): string {
  try {
    readConfig(env);
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

test('what is needed to sell is enough; the rest has defaults', () => {
  expect(readConfig(needed)).toMatchObject({
    mailDomain: 'localhost',
    http: { port: 8080, metricsPort: 9464, rateLimits: { create: 30 } },
    smtp: { port: 2525, maxMessageBytes: 10_485_760, hostname: 'localhost' },
    durations: { receiveWindowSeconds: 3600, retentionSeconds: 86_400 },
    payment: { network: 'eip155:8453', amount: '50000', settlement: 'self' },
  });
});

test('without a payee, a node and a wallet the service says so, all in one message', () => {
  const message = faultsOf({});
  for (const name of ['X402_PAY_TO', 'X402_RPC_URL', 'X402_WALLET_KEY_FILE'])
    expect(message).toContain(name);
});

test('a setting that is there and wrong is not also said to be missing', () => {
  const noWallet = new URL(import.meta.url).pathname;
  const message = faultsOf({ ...needed, X402_PAY_TO: '0x12', X402_WALLET_KEY_FILE: noWallet });
  expect(message.split('\n').slice(1)).toEqual([
    '  X402_PAY_TO must be an address of 0x and 40 hex digits.',
    '  X402_WALLET_KEY_FILE must name a file of one line, 0x and 64 hex digits.',
  ]);
});

test.each([
  ['HTTP_PORT', '65536'],
  ['HTTP_PORT', '-1'],
  ['HTTP_PORT', '80 80'],
  ['RETENTION_SECONDS', '0'],
  ['BASE_URL', 'ftp://example.com'],
  ['MAIL_DOMAIN', 'Not A Domain'],
  ['SAMPLE_RESOURCE', 'yes'],
  ['INBOUND_PROVIDER', 'other'],
  ['INBOUND_TOKEN', 'two words'],
  ['SMTP_XCLIENT_FROM', '10.0.0.0'],
  ['DNS_SERVERS', 'dns.example'],
  ['X402_PAY_TO', '0x12'],
  ['X402_AMOUNT', '0.05'],
  ['NATS_REPLICAS', '3'],
  ['NATS_PASSWORD_FILE', '/nowhere/at/all'],
  ['DMARC_REFUSE_POLICIES', 'none'],
  ['SMTP_TLS_CERT_FILE', wallet],
])('%s=%s is refused by name', (name, value) => {
  expect(faultsOf({ ...needed, [name]: value })).toContain(name);
});

test('a provider without its secret is refused by name', () => {
  const env = { ...needed, INBOUND_PROVIDER: 'cloudflare' };
  expect(faultsOf(env)).toContain('INBOUND_TOKEN');
  expect(faultsOf({ ...env, INBOUND_TOKEN: 'with a space' })).not.toContain('with a space');
  expect(readConfig({ ...env, INBOUND_TOKEN: 'long-and-random' }).inbound).toEqual({
    provider: 'cloudflare',
    token: 'long-and-random',
  });
  expect(readConfig({ ...needed, INBOUND_TOKEN: 'long-and-random' }).inbound).toBeNull();
});

test('a secret that is wrong is not shown', () => {
  const message = faultsOf({ ...needed, X402_WALLET_KEY_FILE: 'hunter2-not-a-path' });
  expect(message).not.toContain('hunter2');
});

test('.env.example lists every setting that is read, and no other', () => {
  const asked = new Set<string>();
  const spy = new Proxy({} as Record<string, string>, {
    get(_target, name) {
      asked.add(String(name));
      return undefined;
    },
  });
  faultsOf(spy);
  const listed = Object.keys(parseEnv(readFileSync('.env.example', 'utf8')));
  expect(listed.sort()).toEqual([...asked].sort());
});

test('.env.example shows the defaults', () => {
  const listed = parseEnv(readFileSync('.env.example', 'utf8')) as Record<string, string>;
  const { replicaId: _, ...config } = readConfig({ ...listed, ...needed });
  const { replicaId: __, ...defaults } = readConfig(needed);
  expect(config).toEqual(defaults);
});
