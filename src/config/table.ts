import sentences from './about.json' with { type: 'json' };
import {
  choice,
  cidrs,
  copies,
  dnsbls,
  domainName,
  domainNames,
  email,
  file,
  host,
  integer,
  line,
  nat64Prefixes,
  natsServers,
  port,
  proxies,
  publicUrl,
  replicaName,
  resolvers,
  secretFile,
  token,
  url,
  wordList,
} from './kinds.ts';
import { paymentSettings } from './payment-settings.ts';
import { row, type SettingRow } from './row.ts';

const MIB = 2 ** 20;
const TIB = 2 ** 40;
const DAY = 86_400;

const bytes = (min: number, max: number) => integer('bytes', min, max);
const seconds = (max: number) => integer('seconds', 1, max);
const perMinute = integer('requests', 0, 1_000_000);
const queries = integer('queries', 0, 10_000_000);

const identity = {
  BASE_URL: row(publicUrl, null, { fixed: `https://\${SITE_ADDRESS:-localhost}` }),
  MAIL_DOMAIN: row(domainName, 'localhost'),
  CONTACT_EMAIL: row(email, null),
  SEND_COMMAND: row(line, null),
  REPLICA_ID: row(replicaName, null),
  OTEL_EXPORTER_OTLP_ENDPOINT: row(url, null),
  LOG_LEVEL: row(choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), 'info'),
};

const http = {
  HTTP_HOST: row(host, '127.0.0.1', { fixed: '0.0.0.0' }),
  HTTP_PORT: row(port, '8080', { fixed: '8080' }),
  METRICS_HOST: row(host, '127.0.0.1'),
  METRICS_PORT: row(port, '9464', { fixed: '9464' }),
  TRUST_PROXY: row(proxies, null, { unset: '172.30.25.2' }),
  RATE_LIMIT_CREATE: row(perMinute, '30'),
  RATE_LIMIT_WRONG_TOKEN: row(perMinute, '10'),
  RATE_LIMIT_UNKNOWN_ID: row(perMinute, '60'),
  RATE_LIMIT_DEFAULT: row(perMinute, '600'),
  CREATE_PER_MINUTE: row(perMinute, '1000'),
  SAMPLE_RESOURCE: row(choice('on', 'off'), 'on'),
};

const smtp = {
  SMTP_HOST: row(host, '127.0.0.1', { fixed: '0.0.0.0' }),
  SMTP_PORT: row(port, '2525', { fixed: '2525' }),
  SMTP_HOSTNAME: row(domainName, null),
  SMTP_TLS_CERT_FILE: row(file, null),
  SMTP_TLS_KEY_FILE: row(file, null),
  SMTP_MAX_MESSAGE_BYTES: row(bytes(1024, 100 * MIB), '10485760'),
  MAIL_MEMORY_BYTES: row(bytes(1024, TIB), '268435456'),
  SMTP_MAX_CLIENTS: row(integer('connections', 1, 100_000), '500'),
  SMTP_XCLIENT_FROM: row(cidrs, null),
};

const inbound = {
  INBOUND_PROVIDER: row(choice('none', 'cloudflare'), 'none'),
  INBOUND_TOKEN: row(token, null),
};

const log = {
  NATS_URL: row(natsServers, null, {
    fixed: 'tls://nats-1:4222,tls://nats-2:4222,tls://nats-3:4222',
  }),
  NATS_USER: row(line, null, { fixed: 'service' }),
  NATS_PASSWORD_FILE: row(file, null, { fixed: '/run/secrets/nats_password' }),
  NATS_TOKEN: row(line, null),
  NATS_CREDS_FILE: row(file, null),
  NATS_TLS_CA_FILE: row(file, null, { fixed: '/run/secrets/nats_ca.pem' }),
  NATS_MONITORING_URL: row(url, null),
  NATS_REPLICAS: row(copies, '1', { fixed: '3' }),
  NATS_SERVER_BIN: row(line, null),
  NATS_STORE_KEY_FILE: row(secretFile, null),
  DATA_DIR: row(line, './data', { fixed: '/data' }),
  TESTS_MAX_BYTES: row(bytes(MIB, TIB), '1073741824'),
  REPORTS_MAX_BYTES: row(bytes(MIB, TIB), '4294967296'),
  PAYMENTS_MAX_BYTES: row(bytes(MIB, TIB), '1073741824'),
};

const lookups = {
  DNS_SERVERS: row(resolvers, null, { unset: '172.30.25.53:5353' }),
  DNS_QUERIES_PER_CLIENT: row(queries, '6000'),
  DNS_QUERIES_PER_TEST: row(queries, '3000'),
  NAT64_PREFIXES: row(nat64Prefixes, null),
  REFUSAL_BLOCKLISTS: row(domainNames, 'psbl.surriel.com'),
  DNSBLS: row(dnsbls, null),
  DMARC_REFUSE_POLICIES: row(wordList('quarantine', 'reject'), 'quarantine,reject'),
  WEB_RISK_API_KEY: row(line, null),
  WEB_RISK_URL: row(url, 'https://webrisk.googleapis.com'),
};

const durations = {
  RECEIVE_WINDOW_SECONDS: row(seconds(7 * DAY), '3600'),
  REFUSAL_TIMEOUT_SECONDS: row(seconds(7 * DAY), '900'),
  ANALYSIS_TIMEOUT_SECONDS: row(seconds(3600), '60'),
  RETENTION_SECONDS: row(seconds(30 * DAY), '86400'),
};

/** Every setting, in the order in which it is shown. */
export const sections = {
  'Who you are': identity,
  HTTP: http,
  SMTP: smtp,
  'Mail through an inbound provider': inbound,
  'The event log': log,
  Lookups: lookups,
  Money: paymentSettings,
  'How long things last': durations,
} as const;

export const table = {
  ...identity,
  ...http,
  ...smtp,
  ...inbound,
  ...log,
  ...lookups,
  ...paymentSettings,
  ...durations,
};

export type Name = keyof typeof table;

/** What each is for, with its unit, in sentences; how it is without one, if that is no value. */
export const ABOUT: Readonly<Record<Name, string>> = sentences;

type ValueOf<R> = R extends SettingRow<infer T> ? T : never;

/** What the settings say, by their names; null where nothing is set and nothing is the default. */
export type SettingValues = { readonly [N in Name]: ValueOf<(typeof table)[N]> };
