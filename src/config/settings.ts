/**
 * Lists every setting of the service, with its kind, default value and description, and those that were
 * removed. Also formats the list for `--help`.
 */

import { USDC } from '../domain/usdc.ts';
import { cidrs, nat64Prefixes, natsServers, proxies, resolvers } from './network-parsers.ts';
import {
  address,
  baseUrl,
  blocklists,
  bytes,
  cdpKeyFile,
  choice,
  collectorUrl,
  copies,
  dnsbls,
  domainName,
  email,
  ether,
  file,
  filterAddress,
  filterUrl,
  folder,
  host,
  integer,
  type Kind,
  line,
  port,
  publicUrl,
  secretFile,
  token,
  url,
} from './value-parsers.ts';

/** A setting. Everything that is written about it elsewhere is generated from its row. */
export interface SettingRow<T = unknown> {
  readonly kind: Kind<Exclude<T, null>>;
  /** The default value, written as in `.env`; null if there is none. */
  readonly fallback: string | null;
  /** Sentences about the purpose of the setting and, if it has no default, about what happens without it. */
  readonly about: string;
}

type Row<T> = (about: TemplateStringsArray) => SettingRow<T>;

/** Returns a tag function that makes a row from the kind of a setting, its default and its description. */
function row<T>(kind: Kind<T>, fallback: string): Row<T>;
function row<T>(kind: Kind<T>): Row<T | null>;
function row<T>(kind: Kind<T>, fallback: string | null = null): Row<T | null> {
  return ([about = '']) => ({ kind, fallback, about: about.replace(/\s+/g, ' ') }) as SettingRow<T>;
}

const MIB = 2 ** 20;
const TIB = 2 ** 40;

const streamBytes = bytes(MIB, TIB);

const identity = {
  BASE_URL: row(publicUrl)`The service's public URL. Default: the address that the
    HTTP server listens on.`,
  MAIL_DOMAIN: row(domainName, 'localhost')`The domain of test addresses. Its MX record
    must point to this server.`,
  CONTACT_EMAIL: row(email)`Your email address. It is given to anyone who writes to
    postmaster@ or abuse@, and appears in the discovery documents.`,
  OTEL_EXPORTER_OTLP_ENDPOINT: row(
    collectorUrl,
  )`The URL of an OpenTelemetry collector (OTLP over HTTP)
    that receives traces of tests, such as http://127.0.0.1:4318. Default: no traces.`,
  LOG_LEVEL: row(
    choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
  )`The least severe level that is logged: fatal, error, warn, info, debug, trace or silent.`,
};

const http = {
  HTTP_HOST: row(host, '127.0.0.1')`The address that the HTTP server listens on.`,
  HTTP_PORT: row(port, '8080')`The port for HTTP. 0: any free port; the log shows which.`,
  METRICS_HOST: row(
    host,
    '127.0.0.1',
  )`The address on which /metrics is served. Anyone who can reach it can
    read it.`,
  METRICS_PORT: row(port, '9464')`The port for /metrics.`,
  TRUST_PROXY: row(
    proxies,
  )`Addresses or ranges of proxies whose X-Forwarded-For is trusted. Default:
    none.`,
  RATE_LIMIT_CREATE: row(
    integer('requests', 0, 1_000_000),
    '30',
  )`New tests per minute per client, which is one IPv4 address
    or one IPv6 /64. A /26 or a /48 may create four times as many, and all clients together
    may create 1000. 0: no limit.`,
};

const smtp = {
  SMTP_HOST: row(host, '127.0.0.1')`The address that the SMTP server listens on.`,
  SMTP_PORT: row(port, '2525')`The port for SMTP. Use 25 to receive mail from outside.`,
  SMTP_HOSTNAME: row(domainName)`The host name in the SMTP greeting. Default: MAIL_DOMAIN.`,
  SMTP_TLS_CERT_FILE: row(file)`A PEM file with the certificate chain for STARTTLS. Default: a
    self-signed certificate.`,
  SMTP_TLS_KEY_FILE: row(file)`A PEM file with the private key of that certificate.`,
  MAIL_MEMORY_BYTES: row(bytes(10 * MIB, TIB), '268435456')`Memory for all emails that are held at
    once, in bytes, divided among networks on demand. One email may need up to 10 MiB.`,
  SMTP_MAX_CLIENTS: row(
    integer('connections', 1, 100_000),
    '500',
  )`Maximum number of connections at once, divided among networks on demand.
    Never more than a quarter of the system's open-file limit.`,
  SMTP_XCLIENT_FROM: row(
    cidrs,
  )`Address ranges of relays and test clients that may name another client
    with XCLIENT. Default: none.`,
  SMTP_XFORWARD_FROM: row(
    cidrs,
  )`Address ranges of mail servers in front of this one that name the client
    with XFORWARD, as Postfix does (docs/relays.md). Default: none.`,
  SMTP_PROXY_FROM: row(
    cidrs,
  )`Address ranges of proxies in front of this server that name the client with
    the PROXY protocol, version 1. They must send it on every connection (docs/relays.md). Default:
    none.`,
};

const inbound = {
  INBOUND_TOKEN: row(token)`A long random secret, also set in the provider's Worker. It enables POST
    /inbound/cloudflare (docs/operations.md); SMTP stays open too. Default: not enabled.`,
};

const log = {
  NATS_URL: row(
    natsServers,
  )`Addresses of nats-servers, separated by commas. Default: the service runs
    its own, with its store in DATA_DIR.`,
  NATS_USER: row(line)`The NATS user. The password is in NATS_PASSWORD_FILE.`,
  NATS_PASSWORD_FILE: row(file)`A file that contains the password of NATS_USER.`,
  NATS_TOKEN: row(line)`A NATS token, instead of a user and password.`,
  NATS_CREDS_FILE: row(file)`A .creds file, instead of a user and password.`,
  NATS_TLS_CA_FILE: row(file)`A PEM file with the CA certificate, for TLS to NATS_URL.`,
  NATS_REPLICAS: row(
    copies,
    '1',
  )`Number of copies of each stream: 1 on a single server, 3 on a cluster.`,
  NATS_STORE_KEY_FILE: row(secretFile)`A file with the key that encrypts the store of the service's
    own nats-server. Erasing a test from an encrypted store costs about a hundredth as much. Without
    the key, nothing in the store can be read: keep it outside \`DATA_DIR\`.`,
  DATA_DIR: row(
    folder,
    './data',
  )`The folder where the service's own nats-server stores the log, and where
    each replica records the last position in the log that it has seen.`,
  TESTS_MAX_BYTES: row(streamBytes, '1073741824')`Maximum size of the stream TESTS, in bytes.`,
  REPORTS_MAX_BYTES: row(streamBytes, '4294967296')`Maximum size of the stream REPORTS, in bytes.
    The bucket for reports needs another three quarters of this size.`,
  PAYMENTS_MAX_BYTES: row(streamBytes, '1073741824')`Maximum size of the stream PAYMENTS, in
    bytes.`,
};

const lookups = {
  DNS_SERVERS: row(resolvers)`DNS resolvers as ip:port. Default: the system's resolvers. Blocklists
    refuse public resolvers.`,
  DNS_VALIDATES: row(
    choice('on', 'off'),
    'off',
  )`on: declares that the resolvers in DNS_SERVERS validate
    DNSSEC, and that nobody on the path to them can change an answer. Reports then check a domain's
    DNSSEC and DANE.`,
  NAT64_PREFIXES: row(nat64Prefixes)`Your network's own NAT64 prefixes. A policy or logo is
    fetched from an address in one of them only if the embedded IPv4 address is public.
    64:ff9b::/96 is always included. Default: no others.`,
  REFUSAL_BLOCKLISTS: row(
    blocklists,
    'psbl.surriel.com',
  )`Blocklists. Mail from an IP address on one of them is refused.`,
  DNSBLS: row(
    dnsbls,
  )`More blocklists to query for the sending IP address or the domains in the email.
    They appear in the report, and no mail is refused because of them. Most require your own resolver
    or key. Default: none.`,
  MX_STARTTLS: row(
    choice('on', 'off'),
    'off',
  )`on: connects to port 25 of the From domain's mail hosts
    (MX) to check their TLS and certificates, and sends no mail. Many networks block that port.`,
  SPAMD_ADDRESS: row(filterAddress)`The address of your own SpamAssassin (spamd), such as
    127.0.0.1:783 or /run/spamd.sock. Each report then includes its second opinion, which never
    affects the score. It must be a loopback or private address or a Unix socket (docs/filters.md).
    Default: none.`,
  RSPAMD_URL: row(
    filterUrl,
  )`The URL of the normal worker of your own rspamd, such as http://127.0.0.1:11333
    or unix:/run/rspamd.sock. Each report then also includes its second opinion. Default: none.`,
  WEB_RISK_API_KEY: row(
    line,
  )`An API key for Google Web Risk. Without a key, links stay "not_checked".`,
};

const money = {
  PAYMENTS: row(choice('on', 'off'), 'on')`off: every report is free to anyone with its token, for
    your own use. In that case, none of the settings below may be set.`,
  X402_PAY_TO: row(
    address,
  )`The address that receives payments. Required to sell reports. Each log needs its
    own address: deployments that share an address but not a log accept each other's payments
    for reports.`,
  X402_RPC_URL: row(url)`The URL of a JSON-RPC node for the chain. The node must allow at least 180
    blocks per eth_getLogs request and keep the last two hours of blocks. Required to sell reports.`,
  X402_SECOND_RPC_URL: row(
    url,
  )`The URL of a node run by a different operator, which must agree before
    anything is decided. If it is not set, a single node is trusted.`,
  X402_NETWORK: row(choice(...networks()), 'eip155:8453')`The chain on which USDC is paid:
    eip155:8453 is Base, and eip155:84532 is Base Sepolia, for tests.`,
  X402_WALLET_KEY_FILE: row(
    secretFile,
  )`The private key of your own wallet, which sends the transfers
    and pays the gas: a file with one line, 0x and 64 hex digits. Each replica needs its own key.`,
  X402_SIGNER_URL: row(
    url,
  )`The URL of a remote signer that supports eth_signTransaction, such as Web3Signer. It
    keeps the key, so no key file is needed.`,
  X402_WALLET_ADDRESS: row(address)`The wallet's address. Required with X402_SIGNER_URL.`,
  X402_MAX_SPEND_PER_HOUR: row(ether, '0.002')`The most that a replica's own wallet may spend on gas
    in an hour, in ether. One settlement may cost at most a hundredth of this. Payers who have never
    paid may together use at most half, divided among networks. Above this limit nothing is sold (502).`,
  X402_FACILITATOR_URL: row(
    baseUrl,
  )`The URL of a facilitator, which sends the transfers instead of your own
    wallet.`,
  X402_CDP_KEY_FILE: row(
    cdpKeyFile,
  )`For CDP's facilitator: the file with your secret API key, as downloaded from
    its portal.`,
};

/** Every setting by section, in the order in which the settings are shown. */
export const sections: Readonly<Record<string, Readonly<Record<string, SettingRow>>>> = {
  'Who you are': identity,
  HTTP: http,
  SMTP: smtp,
  'Mail through an inbound provider': inbound,
  'The event log': log,
  Lookups: lookups,
  Money: money,
};

export const table = {
  ...{ ...identity, ...http, ...smtp, ...inbound },
  ...{ ...log, ...lookups, ...money },
};

export type Name = keyof typeof table;

type ValueOf<R> = R extends SettingRow<infer T> ? T : never;

/** The parsed values of the settings by name; null if a setting is not set and has no default. */
export type SettingValues = { readonly [N in Name]: ValueOf<(typeof table)[N]> };

/** Returns the CAIP-2 ids of the networks on which USDC is known. */
function networks() {
  return Object.keys(USDC) as (keyof typeof USDC)[];
}

/**
 * Settings of earlier releases. They are not read, but are reported at the start if someone still sets them.
 */
export const REMOVED: readonly string[] = [
  ...['RECEIVE_WINDOW_SECONDS', 'REFUSAL_TIMEOUT_SECONDS', 'ANALYSIS_TIMEOUT_SECONDS'],
  ...['RETENTION_SECONDS', 'RATE_LIMIT_WRONG_TOKEN', 'RATE_LIMIT_UNKNOWN_ID', 'RATE_LIMIT_DEFAULT'],
  ...['DNS_QUERIES_PER_CLIENT', 'DNS_QUERIES_PER_TEST', 'SMTP_MAX_MESSAGE_BYTES'],
  ...['SEND_COMMAND', 'DMARC_REFUSE_POLICIES', 'SAMPLE_RESOURCE', 'WEB_RISK_URL'],
  ...['NATS_MONITORING_URL', 'SMTP_MAX_CLIENTS_PER_IP'],
  ...['X402_SETTLEMENT', 'X402_WALLET_FACTORIES', 'X402_MAX_FEE_PER_SETTLEMENT'],
  ...['REPLICA_ID', 'CREATE_PER_MINUTE', 'INBOUND_PROVIDER'],
  ...['X402_ASSET', 'X402_ASSET_NAME', 'X402_ASSET_VERSION', 'X402_AMOUNT', 'NATS_SERVER_BIN'],
  ...['X402_CDP_KEY_ID', 'X402_CDP_KEY_SECRET_FILE'],
];

/** Returns the list of all settings with their defaults and purposes, as `npm start -- --help` prints it. */
export function describeSettings(): string {
  const lines = Object.entries(sections).flatMap(([title, rows]) => [
    '',
    `${title}:`,
    ...Object.entries(rows).map(
      ([name, { fallback, about }]) => `  ${name}=${fallback ?? ''}\n      ${about}`,
    ),
  ]);
  return [
    'npm start [-- --check | --help]',
    '',
    '  --check  checks the settings without starting anything',
    '',
    'Settings come from the environment; those that are not set there come from .env. An empty value',
    'means the default, which is shown. In .env, put a value that contains # in quotes.',
    ...lines,
  ].join('\n');
}
