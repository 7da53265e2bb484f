import { USDC } from '../domain/usdc.ts';
import {
  address,
  bytes,
  cdpKeyFile,
  choice,
  cidrs,
  copies,
  dnsbls,
  domainName,
  domainNames,
  email,
  ether,
  file,
  filterAddress,
  filterUrl,
  host,
  integer,
  type Kind,
  line,
  nat64Prefixes,
  natsServers,
  port,
  proxies,
  publicUrl,
  resolvers,
  secretFile,
  token,
  url,
} from './kinds.ts';

/** One setting. Everything written about it elsewhere is generated from its row. */
export interface SettingRow<T = unknown> {
  readonly kind: Kind<Exclude<T, null>>;
  /** The value as it would appear in .env; null if there is no default. */
  readonly fallback: string | null;
  /** What it is for, in sentences, and what happens without it if that is not a value. */
  readonly about: string;
}

type Row<T> = (about: TemplateStringsArray) => SettingRow<T>;

/** Makes a row from its kind, its default and its sentence. */
function row<T>(kind: Kind<T>, fallback: string): Row<T>;
function row<T>(kind: Kind<T>): Row<T | null>;
function row<T>(kind: Kind<T>, fallback: string | null = null): Row<T | null> {
  return ([about = '']) => ({ kind, fallback, about: about.replace(/\s+/g, ' ') }) as SettingRow<T>;
}

const MIB = 2 ** 20;
const TIB = 2 ** 40;

const streamBytes = bytes(MIB, TIB);

const identity = {
  BASE_URL: row(publicUrl)`The service's public address. Default: the bound HTTP address.`,
  MAIL_DOMAIN: row(domainName, 'localhost')`The domain of test addresses. Its MX must point here.`,
  CONTACT_EMAIL: row(email)`Yours, for postmaster@, abuse@ and the discovery documents.`,
  OTEL_EXPORTER_OTLP_ENDPOINT: row(url)`An OpenTelemetry collector (OTLP over HTTP), such as
    http://127.0.0.1:4318: traces of tests are sent there. Default: no traces.`,
  LOG_LEVEL: row(
    choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
  )`fatal, error, warn, info, debug, trace or silent.`,
};

const http = {
  HTTP_HOST: row(host, '127.0.0.1')`Where HTTP listens.`,
  HTTP_PORT: row(port, '8080')`0 takes a free port; the log shows which.`,
  METRICS_HOST: row(host, '127.0.0.1')`Where /metrics listens: open to everybody who reaches it.`,
  METRICS_PORT: row(port, '9464')`For /metrics.`,
  TRUST_PROXY: row(proxies)`Proxies whose X-Forwarded-For is believed.`,
  RATE_LIMIT_CREATE: row(
    integer('requests', 0, 1_000_000),
    '30',
  )`New tests per minute and client, which is an IPv4 address
    or an IPv6 /64; a /26 and a /48 may have four times as many, all together 1000. 0: no limit.`,
};

const smtp = {
  SMTP_HOST: row(host, '127.0.0.1')`Where SMTP listens.`,
  SMTP_PORT: row(port, '2525')`25 for mail from outside.`,
  SMTP_HOSTNAME: row(domainName)`The name in the greeting. Default: MAIL_DOMAIN.`,
  SMTP_TLS_CERT_FILE: row(file)`The PEM chain for STARTTLS. Default: a self-signed one.`,
  SMTP_TLS_KEY_FILE: row(file)`The PEM private key of that certificate.`,
  MAIL_MEMORY_BYTES: row(bytes(10 * MIB, TIB), '268435456')`Memory for all emails held at once, in
    bytes, shared by network as they come. One email may have 10 MiB.`,
  SMTP_MAX_CLIENTS: row(integer('connections', 1, 100_000), '500')`Connections at once, shared by
    network. At most a quarter of the open files that the system allows.`,
  SMTP_XCLIENT_FROM: row(cidrs)`Ranges of relays and test clients that may state another client by
    XCLIENT. Default: none.`,
  SMTP_XFORWARD_FROM: row(
    cidrs,
  )`Ranges of mail servers in front that name the client by XFORWARD, as
    Postfix does (docs/relays.md). Default: none.`,
  SMTP_PROXY_FROM: row(cidrs)`Ranges of proxies in front that name the client by the PROXY protocol,
    version 1: they must send it on every connection (docs/relays.md). Default: none.`,
};

const inbound = {
  INBOUND_TOKEN: row(token)`A long random secret, the same one in the provider's Worker: opens POST
    /inbound/cloudflare (docs/operations.md). SMTP stays open too. Default: no such door.`,
};

const log = {
  NATS_URL: row(natsServers)`nats-servers, separated by commas. Default: the service runs one of its
    own in DATA_DIR.`,
  NATS_USER: row(line)`The user; its password is in NATS_PASSWORD_FILE.`,
  NATS_PASSWORD_FILE: row(file)`A file that holds the password.`,
  NATS_TOKEN: row(line)`A token, in place of user and password.`,
  NATS_CREDS_FILE: row(file)`A .creds file, in place of user and password.`,
  NATS_TLS_CA_FILE: row(file)`The PEM certificate of the authority, for TLS.`,
  NATS_REPLICAS: row(copies, '1')`Copies of each stream: 1 on a single server, 3 on a cluster.`,
  NATS_STORE_KEY_FILE: row(secretFile)`Encrypts the store of the service's own nats-server, so that
    many tests can be erased at once. Without the key nothing in it can be read: keep it apart from
    \`DATA_DIR\`.`,
  DATA_DIR: row(line, './data')`Where the service's own nats-server keeps the log, and each replica
    how far it has seen the log come.`,
  TESTS_MAX_BYTES: row(streamBytes, '1073741824')`Size of the stream TESTS, in bytes.`,
  REPORTS_MAX_BYTES: row(streamBytes, '4294967296')`Size of the stream REPORTS, in bytes; the bucket
    of reports takes three quarters of it more.`,
  PAYMENTS_MAX_BYTES: row(streamBytes, '1073741824')`Size of the stream PAYMENTS, in bytes.`,
};

const lookups = {
  DNS_SERVERS: row(resolvers)`Resolvers as ip:port. Default: the system's. Blocklists refuse public
    resolvers.`,
  DNS_VALIDATES: row(choice('on', 'off'), 'off')`on: DNS_SERVERS check DNSSEC signatures, and nobody
    on the way to them can change an answer. Then DNSSEC and DANE of a domain are checked.`,
  NAT64_PREFIXES: row(nat64Prefixes)`Prefixes of your network's own NAT64: a policy or logo is
    fetched from such an address only if the IPv4 address in it is public. 64:ff9b::/96 is always
    one. Default: no other.`,
  REFUSAL_BLOCKLISTS: row(
    domainNames,
    'psbl.surriel.com',
  )`A sending IP on one of these is refused.`,
  DNSBLS: row(dnsbls)`More blocklists to ask about the sending address, or about the domains of the
    mail: they refuse nothing and are in the report. Most want a resolver or a key of your own.
    Default: none.`,
  MX_STARTTLS: row(
    choice('on', 'off'),
    'off',
  )`on: connects to port 25 of the From domain's mail hosts
    (MX) for their TLS and certificates, and sends no mail. Many networks close that port.`,
  SPAMD_ADDRESS: row(filterAddress)`Your own SpamAssassin, for a second opinion in each report that
    never counts: the address of its spamd, such as 127.0.0.1:783 or /run/spamd.sock. Only loopback,
    a private address or a Unix socket (docs/filters.md). Default: none.`,
  RSPAMD_URL: row(filterUrl)`The same for your own rspamd: its normal worker, such as
    http://127.0.0.1:11333 or unix:/run/rspamd.sock. Default: none.`,
  WEB_RISK_API_KEY: row(line)`Google Web Risk. Without a key links stay "not_checked".`,
};

const money = {
  PAYMENTS: row(choice('on', 'off'), 'on')`off: every report is free to who holds its token, for
    your own use. Then none of those below may be set.`,
  X402_PAY_TO: row(
    address,
  )`The address that is paid. Required to sell reports. Each log needs one of
    its own: deployments that share an address, and no log, open reports for each other's payments.`,
  X402_RPC_URL: row(url)`A JSON-RPC node of the chain, which grants at least 180 blocks for one
    eth_getLogs and keeps two hours of blocks. Required to sell reports.`,
  X402_SECOND_RPC_URL: row(url)`A node of another operator, which must agree before anything is
    decided. Without it one node is believed.`,
  X402_NETWORK: row(choice(...networks()), 'eip155:8453')`The chain, and with it the USDC that is
    paid: eip155:8453 is Base, eip155:84532 Base Sepolia for tests.`,
  X402_WALLET_KEY_FILE: row(secretFile)`Your own wallet sends the transfers: a file of one line, 0x
    and 64 hex digits, of the wallet that pays the gas. One key a replica.`,
  X402_SIGNER_URL: row(url)`A signer of eth_signTransaction, such as Web3Signer, that holds the key
    instead of that file.`,
  X402_WALLET_ADDRESS: row(address)`With X402_SIGNER_URL, the wallet's address.`,
  X402_MAX_SPEND_PER_HOUR: row(ether, '0.002')`The most gas that a replica's own wallet may pay in
    an hour, in ether: a hundredth of it for one settlement, and half for payers that never paid, shared by network. Above it nothing is sold (502).`,
  X402_FACILITATOR_URL: row(url)`A facilitator, which sends the transfers in place of your own
    wallet.`,
  X402_CDP_KEY_FILE: row(
    cdpKeyFile,
  )`If the facilitator is CDP's: the file of your secret API key, as its
    portal gives it out.`,
};

/** Every setting, in the order in which it is shown. */
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

/** The values of the settings by name; null if not set and without a default. */
export type SettingValues = { readonly [N in Name]: ValueOf<(typeof table)[N]> };

/** Returns the networks on which USDC is known. */
function networks() {
  return Object.keys(USDC) as (keyof typeof USDC)[];
}

/** Former settings: they are not read, and named at the start if someone still sets them. */
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

/** Returns every setting with its default and purpose, as `npm start -- --help` prints them. */
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
    '  --check  checks the settings and starts nothing',
    '',
    'Settings come from the environment, and from .env for what it does not name. An empty value',
    'means the default, which is shown.',
    ...lines,
  ].join('\n');
}
