import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { ConfigError, type Environment, type SettingsReader, settingsReader } from './reader.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

const DAY_SECONDS = 86_400;

/** Base mainnet's USDC: the production asset of the specification. */
const BASE_USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

const WALLET_KEY = /^0x[0-9a-fA-F]{64}$/;
const WALLET_KEY_FORM = 'one line, 0x and 64 hex digits.';
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const DOMAIN =
  /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const SERVER = /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-fA-F:]+\]|[0-9a-fA-F:]+)(:\d{1,5})?$/;

function http(read: SettingsReader) {
  return {
    /** Without it, the bound HTTP address. No slash at the end. */
    baseUrl: read.url('BASE_URL', ['http:', 'https:']),
    host: read.text('HTTP_HOST') ?? '127.0.0.1',
    port: read.integer('HTTP_PORT', 8080, 0, 65_535),
    metricsPort: read.integer('METRICS_PORT', 9464, 0, 65_535),
    /** Addresses or CIDRs of proxies whose X-Forwarded-For is believed. */
    trustProxy: read.list('TRUST_PROXY', []),
    sampleResource: read.choice('SAMPLE_RESOURCE', 'on', ['on', 'off']) === 'on',
    /** Requests a minute and client; 0: no limit. */
    rateLimits: {
      create: read.integer('RATE_LIMIT_CREATE', 30, 0, 1_000_000),
      wrongToken: read.integer('RATE_LIMIT_WRONG_TOKEN', 10, 0, 1_000_000),
      unknownId: read.integer('RATE_LIMIT_UNKNOWN_ID', 60, 0, 1_000_000),
      default: read.integer('RATE_LIMIT_DEFAULT', 600, 0, 1_000_000),
    },
  };
}

function smtp(read: SettingsReader, mailDomain: string) {
  return {
    host: read.text('SMTP_HOST') ?? '127.0.0.1',
    port: read.integer('SMTP_PORT', 2525, 0, 65_535),
    hostname: read.pattern('SMTP_HOSTNAME', mailDomain, 'a host name', DOMAIN),
    /** PEM; null: a self-signed pair is made at start. */
    certificate: read.file('SMTP_TLS_CERT_FILE'),
    privateKey: read.file('SMTP_TLS_KEY_FILE'),
    maxMessageBytes: read.integer('SMTP_MAX_MESSAGE_BYTES', 10 * MIB, 1024, 100 * MIB),
    /** Raw mail held by the process, all mails together. */
    mailMemoryBytes: read.integer('MAIL_MEMORY_BYTES', 256 * MIB, MIB, 64 * GIB),
    maxClients: read.integer('SMTP_MAX_CLIENTS', 200, 1, 100_000),
    maxClientsPerIp: read.integer('SMTP_MAX_CLIENTS_PER_IP', 20, 1, 100_000),
    xclientFrom: read.cidrs('SMTP_XCLIENT_FROM'),
  };
}

function inbound(read: SettingsReader) {
  const provider = read.choice('INBOUND_PROVIDER', 'none', ['none', 'cloudflare']);
  const token = read.pattern(
    'INBOUND_TOKEN',
    null,
    'printable ASCII without spaces',
    /^[\x21-\x7e]+$/,
  );
  if (provider !== 'none')
    read.needed(
      'INBOUND_TOKEN',
      `with INBOUND_PROVIDER=${provider}: the secret that its side shows.`,
    );
  /** null: no provider hands over mail. */
  return provider === 'none' || token === null ? null : { provider, token };
}

function nats(read: SettingsReader) {
  const replicas = read.integer('NATS_REPLICAS', 1, 1, 5);
  if (replicas > 1)
    read.needed('NATS_URL', `with NATS_REPLICAS=${replicas}: the service's own server is one.`);
  return {
    /** null: the service runs a nats-server of its own in `dataDir`. */
    url: read.text('NATS_URL'),
    user: read.text('NATS_USER'),
    password: read.file('NATS_PASSWORD_FILE'),
    token: read.text('NATS_TOKEN'),
    credentials: read.file('NATS_CREDS_FILE'),
    tlsCa: read.file('NATS_TLS_CA_FILE'),
    /** null: port 8222 of the first server. */
    monitoringUrl: read.url('NATS_MONITORING_URL', ['http:', 'https:']),
    replicas,
    serverBin: read.text('NATS_SERVER_BIN'),
    /** Bytes a stream may take; together below the server's `max_file_store`. */
    testsMaxBytes: read.integer('TESTS_MAX_BYTES', GIB, MIB, 1024 * GIB),
    reportsMaxBytes: read.integer('REPORTS_MAX_BYTES', 4 * GIB, MIB, 1024 * GIB),
    paymentsMaxBytes: read.integer('PAYMENTS_MAX_BYTES', GIB, MIB, 1024 * GIB),
  };
}

function analysis(read: SettingsReader) {
  return {
    /** `ip:port`; empty: the system's resolvers. */
    dnsServers: read.listOf('DNS_SERVERS', [], 'addresses such as 127.0.0.1:53', (item) =>
      SERVER.test(item),
    ),
    /** Queries that the mails of one client cause in a minute; 0: no limit. */
    dnsQueriesPerClient: read.integer('DNS_QUERIES_PER_CLIENT', 6000, 0, 10_000_000),
    /** Queries that the mails of one test cause in all; 0: no limit. */
    dnsQueriesPerTest: read.integer('DNS_QUERIES_PER_TEST', 3000, 0, 10_000_000),
    refusalBlocklists: read.listOf(
      'REFUSAL_BLOCKLISTS',
      ['psbl.surriel.com'],
      'domain names',
      (item) => DOMAIN.test(item),
    ),
    dmarcRefusePolicies: read.listOf(
      'DMARC_REFUSE_POLICIES',
      ['quarantine', 'reject'],
      'quarantine or reject',
      (item) => item === 'quarantine' || item === 'reject',
    ),
    webRiskApiKey: read.text('WEB_RISK_API_KEY'),
    webRiskUrl: read.url('WEB_RISK_URL', ['http:', 'https:']) ?? 'https://webrisk.googleapis.com',
  };
}

function payment(read: SettingsReader) {
  const settlement = read.choice('X402_SETTLEMENT', 'self', ['self', 'facilitator']);
  const values = {
    settlement,
    payTo: read.pattern('X402_PAY_TO', null, 'an address of 0x and 40 hex digits', ADDRESS),
    rpcUrl: read.url('X402_RPC_URL', ['http:', 'https:']),
    facilitatorUrl: read.url('X402_FACILITATOR_URL', ['http:', 'https:']),
    cdpKeyId: read.text('X402_CDP_KEY_ID'),
    cdpKeySecret: read.file('X402_CDP_KEY_SECRET_FILE'),
    /** The hot wallet that pays the gas. */
    walletKey: read.file('X402_WALLET_KEY_FILE'),
    network: read.pattern(
      'X402_NETWORK',
      'eip155:8453',
      'such as eip155:8453',
      /^eip155:\d{1,15}$/,
    ),
    asset: read.pattern('X402_ASSET', BASE_USDC, 'an address of 0x and 40 hex digits', ADDRESS),
    assetName: read.text('X402_ASSET_NAME') ?? 'USD Coin',
    assetVersion: read.text('X402_ASSET_VERSION') ?? '2',
    /** Atomic units of the asset: 50000 of USDC's six decimals are USD 0.05. */
    amount: read.pattern('X402_AMOUNT', '50000', 'a whole number above 0', /^[1-9]\d{0,30}$/),
  };
  read.needed('X402_PAY_TO', 'to sell reports: the address that is paid.');
  read.needed('X402_RPC_URL', 'to sell reports: a JSON-RPC node of the chain.');
  if (settlement === 'facilitator')
    read.needed('X402_FACILITATOR_URL', 'with X402_SETTLEMENT=facilitator.');
  if (settlement === 'self') {
    read.needed('X402_WALLET_KEY_FILE', `with X402_SETTLEMENT=self: a file of ${WALLET_KEY_FORM}`);
    if (values.walletKey !== null && !WALLET_KEY.test(values.walletKey))
      read.fault('X402_WALLET_KEY_FILE', `must name a file of ${WALLET_KEY_FORM}`);
  }
  return { ...values, payTo: values.payTo ?? '', rpcUrl: values.rpcUrl ?? '' };
}

function durations(read: SettingsReader) {
  return {
    receiveWindowSeconds: read.integer('RECEIVE_WINDOW_SECONDS', 3600, 1, 7 * DAY_SECONDS),
    refusalTimeoutSeconds: read.integer('REFUSAL_TIMEOUT_SECONDS', 900, 1, 7 * DAY_SECONDS),
    analysisTimeoutSeconds: read.integer('ANALYSIS_TIMEOUT_SECONDS', 60, 1, 3600),
    retentionSeconds: read.integer('RETENTION_SECONDS', DAY_SECONDS, 1, 30 * DAY_SECONDS),
  };
}

/**
 * Every setting of the service, checked and typed.
 *
 * @throws ConfigError that names every fault at once
 */
export function readConfig(env: Environment) {
  const read = settingsReader(env);
  const mailDomain = read.pattern('MAIL_DOMAIN', 'localhost', 'a domain in lower case', DOMAIN);
  const dataDir = read.text('DATA_DIR') ?? './data';
  const config = {
    contactEmail: read.pattern('CONTACT_EMAIL', null, 'an e-mail address', /^[^\s@]+@[^\s@]+$/),
    replicaId: read.pattern(
      'REPLICA_ID',
      `${hostname()}-${process.pid}`.slice(-100),
      'at most 100 of A-Z a-z 0-9 . _ -',
      /^[\w.-]{1,100}$/,
    ),
    mailDomain,
    dataDir: isAbsolute(dataDir) ? dataDir : resolve(dataDir),
    logLevel: read.choice('LOG_LEVEL', 'info', [
      'fatal',
      'error',
      'warn',
      'info',
      'debug',
      'trace',
      'silent',
    ]),
    http: http(read),
    smtp: smtp(read, mailDomain),
    inbound: inbound(read),
    nats: nats(read),
    analysis: analysis(read),
    payment: payment(read),
    durations: durations(read),
  };
  if ((config.smtp.certificate === null) !== (config.smtp.privateKey === null))
    read.fault('SMTP_TLS_CERT_FILE', 'and SMTP_TLS_KEY_FILE go together: set both or none.');
  if (read.faults.length > 0) throw new ConfigError(read.faults);
  return config;
}

export type Config = ReturnType<typeof readConfig>;

/** The settings of this process: the environment, and `.env` for what it does not name. */
export function loadConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readConfig(process.env);
}

/**
 * What is needed to reach the log: an operator's command needs no wallet.
 *
 * @throws ConfigError that names every fault at once
 */
export function loadLogConfig() {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const read = settingsReader(process.env);
  const config = {
    nats: nats(read),
    dataDir: resolve(read.text('DATA_DIR') ?? './data'),
    /** Only to hold payments against the chain. */
    rpcUrl: read.url('X402_RPC_URL', ['http:', 'https:']),
  };
  if (read.faults.length > 0) throw new ConfigError(read.faults);
  return config;
}
