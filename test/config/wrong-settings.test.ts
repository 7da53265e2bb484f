/** Tests the error message for each wrong setting. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { selfSigned } from '../../src/adapters/smtp/certificate.ts';
import { readConfig } from '../../src/config/config.ts';
import { ConfigError, loadEnvironment } from '../../src/config/environment.ts';
import { walletKeyFile } from '../support/payments/wallet-key-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'wrong-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a file with some text, and returns its path. */
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
};

const [one, other] = await Promise.all([0, 1].map(() => selfSigned('mx.example', Date.now())));
if (!one || !other) throw new Error('There are no certificates.');
const CERT = file('one.crt', one.cert);
const KEY = file('one.key', one.key);
const OTHER_KEY = file('other.key', other.key);
const PASSWORD = file('password', 'hunter2');
const EMPTY = file('empty', '\n');
const NOWHERE = join(folder, 'hunter2');

const right = {
  X402_PAY_TO: `0x${'4'.repeat(40)}`,
  X402_RPC_URL: 'http://127.0.0.1:8545',
  X402_WALLET_KEY_FILE: walletKeyFile(folder),
};
const MAINNET_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const SEPOLIA_USDC = '0x036CbD53842c5426634e7929541eC2318f3dCF7e';
const N1 = 'nats://10.0.0.1:4222';

/** Wrong settings besides correct ones, with the setting that the one line must name and its fix. */
const wrong: readonly (readonly [env: Record<string, string>, name: string, fix: RegExp])[] = [
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT', /http:/],
  [{ BASE_URL: 'ftp://example.com' }, 'BASE_URL', /without a query/],
  [{ BASE_URL: 'example.com' }, 'BASE_URL', /such as https/],
  [{ BASE_URL: 'https://example.com/?mail' }, 'BASE_URL', /without a query/],
  [{ BASE_URL: 'https://me:hunter2@example.com' }, 'BASE_URL', /without a query or password/],
  [{ MAIL_DOMAIN: 'Not A Domain' }, 'MAIL_DOMAIN', /lower case/],
  [{ MAIL_DOMAIN: 'user@example.com' }, 'MAIL_DOMAIN', /domain name/],
  [{ MAIL_DOMAIN: '127.0.0.1' }, 'MAIL_DOMAIN', /domain name/],
  [{ HTTP_PORT: '9464' }, 'METRICS_PORT', /and HTTP_PORT are both 9464/],
  [{ SMTP_PORT: '8080', SMTP_HOST: '0.0.0.0' }, 'SMTP_PORT', /and HTTP_PORT are both 8080/],
  [{ CONTACT_EMAIL: 'example.com' }, 'CONTACT_EMAIL', /email address/],
  [{ LOG_LEVEL: 'verbose' }, 'LOG_LEVEL', /fatal or error/],
  [{ HTTP_HOST: '999.1.1.1' }, 'HTTP_HOST', /address of this machine/],
  [{ HTTP_HOST: '10.0.0.256' }, 'HTTP_HOST', /address of this machine/],
  [{ HTTP_PORT: '65536' }, 'HTTP_PORT', /1 to 65535/],
  [{ HTTP_PORT: '-1' }, 'HTTP_PORT', /1 to 65535/],
  [{ HTTP_PORT: '80 80' }, 'HTTP_PORT', /1 to 65535/],
  [{ NAT64_PREFIXES: '64:ff9b:1::/50' }, 'NAT64_PREFIXES', /32, 40, 48, 56, 64 or 96 bits/],
  [{ NAT64_PREFIXES: '10.0.0.0/32' }, 'NAT64_PREFIXES', /32, 40, 48, 56, 64 or 96 bits/],
  [{ TRUST_PROXY: 'proxy.example' }, 'TRUST_PROXY', /ranges of proxies/],
  [{ TRUST_PROXY: '10.0.0.0/99' }, 'TRUST_PROXY', /ranges of proxies/],
  [{ TRUST_PROXY: '0.0.0.0/0' }, 'TRUST_PROXY', /none wider than a \/8/],
  [{ TRUST_PROXY: '10.0.0.1, ::/0' }, 'TRUST_PROXY', /none wider than a \/8/],
  [{ TRUST_PROXY: '0.0.0.0/1,128.0.0.0/1' }, 'TRUST_PROXY', /none wider than a \/8/],
  [{ TRUST_PROXY: '::ffff:0:0/96' }, 'TRUST_PROXY', /ranges of proxies/],
  [{ SMTP_XCLIENT_FROM: '0.0.0.0/0' }, 'SMTP_XCLIENT_FROM', /none wider than a \/8/],
  [{ SMTP_PROXY_FROM: '2000::/3' }, 'SMTP_PROXY_FROM', /IPv6: a \/7/],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318?token=x' },
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    /without a query/,
  ],
  [{ X402_FACILITATOR_URL: 'https://f.example/#x' }, 'X402_FACILITATOR_URL', /without a query/],
  [{ RATE_LIMIT_CREATE: 'none' }, 'RATE_LIMIT_CREATE', /whole number of requests/],
  [{ SMTP_HOST: '1.2.3' }, 'SMTP_HOST', /address of this machine/],
  [{ SMTP_HOSTNAME: 'mx example' }, 'SMTP_HOSTNAME', /domain name/],
  [{ MAIL_MEMORY_BYTES: '1048576' }, 'MAIL_MEMORY_BYTES', /bytes from 10485760/],
  [{ SMTP_MAX_CLIENTS: '0' }, 'SMTP_MAX_CLIENTS', /connections from 1/],
  [{ SPAMD_ADDRESS: '127.0.0.1' }, 'SPAMD_ADDRESS', /with a port such as 127\.0\.0\.1:783/],
  [{ SPAMD_ADDRESS: 'spamd.example:783' }, 'SPAMD_ADDRESS', /names a host.*private address/],
  [{ SPAMD_ADDRESS: '8.8.8.8:783' }, 'SPAMD_ADDRESS', /public address.*would leave your network/],
  [{ SPAMD_ADDRESS: '0.0.0.0:783' }, 'SPAMD_ADDRESS', /neither loopback nor a private address/],
  [{ SPAMD_ADDRESS: '169.254.169.254:80' }, 'SPAMD_ADDRESS', /neither loopback nor/],
  [{ SPAMD_ADDRESS: '[::ffff:8.8.8.8]:783' }, 'SPAMD_ADDRESS', /neither loopback nor/],
  [{ SPAMD_ADDRESS: '10.0.0.1:99999' }, 'SPAMD_ADDRESS', /with a port/],
  [{ SPAMD_ADDRESS: 'spamd.sock' }, 'SPAMD_ADDRESS', /path of a Unix socket/],
  [{ RSPAMD_URL: '127.0.0.1:11333' }, 'RSPAMD_URL', /http:\/\/127\.0\.0\.1:11333/],
  [{ RSPAMD_URL: 'http://127.0.0.1:11333/checkv2' }, 'RSPAMD_URL', /without a path/],
  [{ RSPAMD_URL: 'http://user:hunter2@127.0.0.1:11333' }, 'RSPAMD_URL', /without a path, user/],
  [{ RSPAMD_URL: 'https://127.0.0.1:11333' }, 'RSPAMD_URL', /http:\/\/127/],
  [{ RSPAMD_URL: 'http://rspamd:11333' }, 'RSPAMD_URL', /names a host/],
  [{ RSPAMD_URL: 'http://[2606:4700::1111]:11333' }, 'RSPAMD_URL', /public address/],
  [{ SMTP_XCLIENT_FROM: '10.0.0.0' }, 'SMTP_XCLIENT_FROM', /192\.0\.2\.0\/24/],
  [{ SMTP_XFORWARD_FROM: 'localhost' }, 'SMTP_XFORWARD_FROM', /192\.0\.2\.0\/24/],
  [{ SMTP_XFORWARD_FROM: '::ffff:10.0.0.0/104' }, 'SMTP_XFORWARD_FROM', /192\.0\.2\.0\/24/],
  [{ SMTP_PROXY_FROM: '0:0:0:0:0:ffff:a00:1/128' }, 'SMTP_PROXY_FROM', /192\.0\.2\.0\/24/],
  [{ SMTP_PROXY_FROM: '10.0.0.0/8, ' }, 'SMTP_PROXY_FROM', /192\.0\.2\.0\/24/],
  [
    { SMTP_XFORWARD_FROM: '192.0.2.0/24,10.0.0.0/8', SMTP_PROXY_FROM: '10.1.2.3/32' },
    'SMTP_XFORWARD_FROM',
    /\(10\.0\.0\.0\/8\) and SMTP_PROXY_FROM \(10\.1\.2\.3\/32\) overlap/,
  ],
  [
    { SMTP_XCLIENT_FROM: '2001:db8:1::/48', SMTP_XFORWARD_FROM: '2001:db8::/32' },
    'SMTP_XCLIENT_FROM',
    /and SMTP_XFORWARD_FROM .+ overlap/,
  ],
  [{ SMTP_TLS_CERT_FILE: CERT }, 'SMTP_TLS_CERT_FILE', /set both or neither/],
  [{ SMTP_TLS_CERT_FILE: NOWHERE, SMTP_TLS_KEY_FILE: KEY }, 'SMTP_TLS_CERT_FILE', /can read/],
  [{ SMTP_TLS_CERT_FILE: KEY, SMTP_TLS_KEY_FILE: KEY }, 'SMTP_TLS_CERT_FILE', /PEM file/],
  [{ SMTP_TLS_CERT_FILE: CERT, SMTP_TLS_KEY_FILE: CERT }, 'SMTP_TLS_KEY_FILE', /private key/],
  [
    { SMTP_TLS_CERT_FILE: CERT, SMTP_TLS_KEY_FILE: OTHER_KEY },
    'SMTP_TLS_KEY_FILE',
    /key that belongs to the/,
  ],
  [{ CONTACT_EMAIL: 'mailto:me@example.com' }, 'CONTACT_EMAIL', /an email address such as/],
  [{ CONTACT_EMAIL: '"me@example.com' }, 'CONTACT_EMAIL', /an email address such as/],
  [{ DATA_DIR: '~/data' }, 'DATA_DIR', /without ~ or \$/],
  [{ DATA_DIR: '$HOME/data' }, 'DATA_DIR', /without ~ or \$/],
  [{ SMTP_XCLIENT_FROM: '010.0.0.0/8' }, 'SMTP_XCLIENT_FROM', /address ranges/],
  [{ SMTP_XFORWARD_FROM: '192.168/16' }, 'SMTP_XFORWARD_FROM', /address ranges/],
  [{ TRUST_PROXY: '10/8' }, 'TRUST_PROXY', /addresses or ranges/],
  [{ LOG_LEVEL: '"info"' }, 'LOG_LEVEL', /is in quotes/],
  [{ NATS_URL: N1, NATS_TOKEN: '‘hunter2’' }, 'NATS_TOKEN', /is in quotes/],
  [{ INBOUND_TOKEN: 'x' }, 'INBOUND_TOKEN', /at least 16/],
  [{ INBOUND_TOKEN: 'two words that are long' }, 'INBOUND_TOKEN', /without spaces/],
  [{ NATS_URL: 'http://10.0.0.1' }, 'NATS_URL', /nats:\/\/10\.0\.0\.1:4222/],
  [{ NATS_URL: 'nats://10.0.0.1:99999' }, 'NATS_URL', /nats:\/\/10\.0\.0\.1:4222/],
  [{ NATS_URL: `${N1},` }, 'NATS_URL', /separated by commas/],
  [{ NATS_URL: 'nats://service:100%25 hunter%2@10.0.0.1' }, 'NATS_URL', /%25 for a %/],
  [{ NATS_TOKEN: 'hunter2' }, 'NATS_TOKEN', /set NATS_URL too/],
  [{ NATS_URL: N1, NATS_USER: 'service' }, 'NATS_USER', /set both or neither/],
  [
    { NATS_URL: N1, NATS_USER: 'u', NATS_PASSWORD_FILE: PASSWORD, NATS_TOKEN: 't' },
    'NATS_USER',
    /mutually exclusive/,
  ],
  [{ NATS_URL: N1, NATS_USER: 'u', NATS_PASSWORD_FILE: NOWHERE }, 'NATS_PASSWORD_FILE', /can read/],
  [{ NATS_URL: N1, NATS_USER: 'u', NATS_PASSWORD_FILE: EMPTY }, 'NATS_PASSWORD_FILE', /non-empty/],
  [{ NATS_URL: N1, NATS_TLS_CA_FILE: PASSWORD }, 'NATS_TLS_CA_FILE', /PEM certificate file/],
  [{ NATS_URL: N1, NATS_STORE_KEY_FILE: KEY }, 'NATS_STORE_KEY_FILE', /service's own/],
  [{ NATS_REPLICAS: '3' }, 'NATS_URL', /is required with NATS_REPLICAS=3/],
  [{ NATS_URL: N1, NATS_REPLICAS: '2' }, 'NATS_REPLICAS', /1, 3 or 5/],
  [{ TESTS_MAX_BYTES: '1GiB' }, 'TESTS_MAX_BYTES', /whole number of bytes/],
  [{ REPORTS_MAX_BYTES: '9663676416' }, 'REPORTS_MAX_BYTES', /lower one of them/],
  [{ PAYMENTS_MAX_BYTES: '1000' }, 'PAYMENTS_MAX_BYTES', /from 1048576/],
  [{ DNS_SERVERS: '999.1.1.1' }, 'DNS_SERVERS', /such as 127\.0\.0\.1:53/],
  [{ DNS_SERVERS: 'dns.example' }, 'DNS_SERVERS', /such as 127\.0\.0\.1:53/],
  [{ DNS_SERVERS: '127.0.0.1:99999' }, 'DNS_SERVERS', /such as 127\.0\.0\.1:53/],
  [{ DNS_SERVERS: '[2001:db8::g]:53' }, 'DNS_SERVERS', /such as 127\.0\.0\.1:53/],
  [{ DNS_SERVERS: '::1:53' }, 'DNS_SERVERS', /or \[::1\]:53/],
  [{ REFUSAL_BLOCKLISTS: 'none' }, 'REFUSAL_BLOCKLISTS', /such as psbl/],
  [{ PAYMENTS: 'no', X402_PAY_TO: '' }, 'PAYMENTS', /on or off/],
  [{ DNSBLS: 'dnsbl.unknown.example' }, 'DNSBLS', /whose answers are documented/],
  [{ REFUSAL_BLOCKLISTS: 'https://psbl.org' }, 'REFUSAL_BLOCKLISTS', /domain names/],
  [
    { X402_PAY_TO: '' },
    'X402_PAY_TO',
    /is required to sell reports.+With PAYMENTS=off it is not required/,
  ],
  [{ X402_PAY_TO: '0x12' }, 'X402_PAY_TO', /40 hex digits/],
  [{ X402_PAY_TO: `0x${'0'.repeat(40)}` }, 'X402_PAY_TO', /non-zero/],
  [{ X402_PAY_TO: SEPOLIA_USDC.replace('Cb', 'cB') }, 'X402_PAY_TO', /checksum/],
  [{ X402_PAY_TO: MAINNET_USDC.toLowerCase() }, 'X402_PAY_TO', /not that of the USDC contract/],
  [{ X402_RPC_URL: '' }, 'X402_RPC_URL', /is required to sell reports/],
  [{ X402_RPC_URL: 'wss://node/hunter2' }, 'X402_RPC_URL', /http:\/\//],
  [{ X402_FACILITATOR_URL: 'facilitator' }, 'X402_FACILITATOR_URL', /http:\/\//],
  [
    { X402_WALLET_KEY_FILE: '' },
    'X402_WALLET_KEY_FILE',
    /is required without X402_FACILITATOR_URL/,
  ],
  [{ X402_SIGNER_URL: 'http://127.0.0.1:9000' }, 'X402_WALLET_ADDRESS', /is required with/],
  [{ X402_WALLET_KEY_FILE: NOWHERE }, 'X402_WALLET_KEY_FILE', /can read/],
  [{ X402_WALLET_KEY_FILE: walletKeyFile(folder, 0o644) }, 'X402_WALLET_KEY_FILE', /others cannot/],
  [{ X402_MAX_SPEND_PER_HOUR: '0' }, 'X402_MAX_SPEND_PER_HOUR', /amount of ether/],
  [{ X402_MAX_SPEND_PER_HOUR: '5 gwei' }, 'X402_MAX_SPEND_PER_HOUR', /amount of ether/],
  [{ X402_WALLET_KEY_FILE: PASSWORD }, 'X402_WALLET_KEY_FILE', /64 hex digits/],
  [
    { X402_WALLET_KEY_FILE: file('zero-key', `0x${'0'.repeat(64)}`) },
    'X402_WALLET_KEY_FILE',
    /is a valid private key/,
  ],
  [{ X402_CDP_KEY_FILE: PASSWORD }, 'X402_CDP_KEY_FILE', /id and privateKey/],
  [{ X402_CDP_KEY_FILE: file('cdp', '{"id":"hunter2"}') }, 'X402_CDP_KEY_FILE', /privateKey/],
  [{ X402_NETWORK: 'base' }, 'X402_NETWORK', /eip155:8453/],
  [{ X402_NETWORK: 'eip155:1' }, 'X402_NETWORK', /eip155:8453 or eip155:84532/],
  [{ SMPT_PORT: '25' }, 'SMPT_PORT', /did you mean SMTP_PORT\?/],
  [{ X402_PAYTO: '0x1' }, 'X402_PAYTO', /did you mean X402_PAY_TO\?/],
  [{ DNS_SERVER: '127.0.0.1' }, 'DNS_SERVER', /did you mean DNS_SERVERS\?/],
  [{ mail_domain: 'example.com' }, 'mail_domain', /did you mean MAIL_DOMAIN\?/],
];

function faultsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}

test.each(wrong)('%j is refused in one line that names %s and the fix', (env, name, fix) => {
  const faults = faultsOf({ ...right, ...env });
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(new RegExp(`^${name} `));
  expect(faults[0]).toMatch(fix);
  expect(faults[0]).not.toMatch(/\n|hunter2/);
});

test('every fault is in the one message', () => {
  const env = { ...right, SMPT_PORT: '25', HTTP_PORT: 'x', NATS_REPLICAS: '3' };
  expect(faultsOf(env).map((fault) => fault.split(' ', 1)[0])).toEqual([
    'HTTP_PORT',
    'NATS_URL',
    'SMPT_PORT',
  ]);
});

test.each([
  { HTTP_PROXY: 'http://proxy:3128', PATH: '/bin', npm_config_cache: '/x', NATS_NAME: 'n' },
  { X402_PAY_TO: SEPOLIA_USDC, X402_NETWORK: 'eip155:8453' },
  { X402_NETWORK: 'eip155:84532' },
  { X402_ASSET_NAME: 'USDC', RETENTION_SECONDS: '1h' },
  { SMTP_TLS_CERT_FILE: CERT, SMTP_TLS_KEY_FILE: KEY },
  { X402_CDP_KEY_FILE: file('cdp.json', '{"name":"id","privateKey":"c2VjcmV0"}') },
  { NATS_URL: `${N1},10.0.0.2:4222`, NATS_REPLICAS: '3', REPORTS_MAX_BYTES: '107374182400' },
  { DNS_SERVERS: '127.0.0.1, 10.0.0.1:5353, 2001:db8::1, [2001:db8::1]:53' },
  { HTTP_PORT: '0', METRICS_PORT: '0', SMTP_PORT: '0', HTTP_HOST: '::' },
])('%j is accepted', (env) => {
  expect(faultsOf({ ...right, ...env })).toEqual([]);
});

test('PAYMENTS=off needs nothing more, even in a copy of .env.example', () => {
  const { X402_PAY_TO, X402_RPC_URL, X402_WALLET_KEY_FILE, ...others } = right;
  const example = parseEnv(readFileSync('.env.example', 'utf8'));
  expect(faultsOf({ ...others, PAYMENTS: 'off' })).toEqual([]);
  expect(faultsOf({ ...example, PAYMENTS: 'off' })).toEqual([]);
});

test('PAYMENTS=off and payment settings are refused, each by its name, except for the key of compose', () => {
  const { X402_PAY_TO, X402_WALLET_KEY_FILE } = right;
  const env = { PAYMENTS: 'off', X402_PAY_TO, X402_WALLET_KEY_FILE, X402_MAX_SPEND_PER_HOUR: '1' };
  expect(faultsOf(env).map((fault) => fault.split(' ', 1)[0])).toEqual([
    'X402_PAY_TO',
    'X402_MAX_SPEND_PER_HOUR',
  ]);
  expect(faultsOf({ PAYMENTS: 'off', X402_WALLET_KEY_FILE })).toEqual([]);
});

test('a .env that Windows saved with a byte order mark and CRLF is read', () => {
  const { env, unknown } = loadEnvironment(
    file('windows.env', '\ufeffMAIL_DOMAIN=a.example\r\n#\r\n'),
  );
  expect(env).toMatchObject({ MAIL_DOMAIN: 'a.example' });
  expect(unknown).toEqual([]);
});

test('a line of .env that sets nothing is named', () => {
  const { unknown } = loadEnvironment(file('colon.env', '# Who\n\nMAIL_DOMAIN: a.example\n'));
  expect(unknown).toEqual(['Line 3 of .env must be NAME=value, or begin with #.']);
});

test.each([
  ['INBOUND_TOKEN=abcdefghijklmnop#qrst', true],
  ['NATS_TOKEN = ab"c#d', true],
  ['export NATS_TOKEN=a b#c', true],
  ['INBOUND_TOKEN="abcdefghijklmnop#qrst"', false],
  ["INBOUND_TOKEN='abcdefghijklmnop#qrst' # quoted", false],
  ['MAIL_DOMAIN=a.example # a comment', false],
  ['MAIL_DOMAIN=a.example\t# a comment with = and #', false],
  ['# NATS_TOKEN=a#b', false],
  ['NATS_TOKEN=#', false],
  ['NATS_TOKEN=', false],
])('in .env, %s has a value that is cut off at its #: %s', (line, isCut) => {
  const { unknown } = loadEnvironment(file('hash.env', `${line}\n`));
  const expected = expect.stringMatching(/^Line 1 of \.env has a # .* in quotes/);
  expect(unknown).toEqual(isCut ? [expected] : []);
});

test.each([
  ['UTF-16', file('utf16.env', '\ufeffP\0A\0=\0'), /is not UTF-8/],
  ['a folder', folder, /cannot be read \(EISDIR\)/],
])('a .env that is %s is a fault', (_, path, fault) => {
  expect(() => loadEnvironment(path)).toThrow(fault);
});

test('the wallet key of the fixtures is valid', () => {
  expect(readFileSync(right.X402_WALLET_KEY_FILE, 'utf8')).toMatch(/^0x/);
});
