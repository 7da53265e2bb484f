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
const connections = integer('connections', 1, 100_000);
const queries = integer('queries', 0, 10_000_000);

const identity = {
  BASE_URL: row(publicUrl, null, "The service's public address. Default: the bound HTTP address.", {
    fixed: `https://\${SITE_ADDRESS:-localhost}`,
  }),
  MAIL_DOMAIN: row(
    domainName,
    'localhost',
    'The domain of test addresses. Its MX must point here.',
  ),
  CONTACT_EMAIL: row(email, null, 'Yours, for postmaster@, abuse@ and the discovery documents.'),
  REPLICA_ID: row(
    replicaName,
    null,
    "This replica's name in events and logs. Default: host name and pid.",
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: row(
    url,
    null,
    'An OpenTelemetry collector (OTLP over HTTP), such as http://127.0.0.1:4318: traces of tests are sent there. Default: no traces.',
  ),
  LOG_LEVEL: row(
    choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'fatal, error, warn, info, debug, trace or silent.',
  ),
};

const http = {
  HTTP_HOST: row(host, '127.0.0.1', 'Where HTTP listens.', { fixed: '0.0.0.0' }),
  HTTP_PORT: row(port, '8080', '0 takes a free port; the log shows which.', { fixed: '8080' }),
  METRICS_HOST: row(host, '127.0.0.1', 'Where /metrics listens: open to everybody who reaches it.'),
  METRICS_PORT: row(port, '9464', 'For /metrics.', { fixed: '9464' }),
  TRUST_PROXY: row(proxies, null, 'Proxies whose X-Forwarded-For is believed.', {
    unset: '172.30.25.2',
  }),
  RATE_LIMIT_CREATE: row(
    perMinute,
    '30',
    'New tests per minute and client, which is an IPv4 address or an IPv6 /64; a /24 and a /48 may have four times as many, a /56 twice. 0: no limit, here and below.',
  ),
  RATE_LIMIT_WRONG_TOKEN: row(perMinute, '10', 'Wrong read tokens per client and minute.'),
  RATE_LIMIT_UNKNOWN_ID: row(perMinute, '60', 'Unknown tests per client and minute.'),
  RATE_LIMIT_DEFAULT: row(perMinute, '600', 'All requests per client and minute.'),
  CREATE_PER_MINUTE: row(perMinute, '1000', 'New tests per minute of all clients together.'),
  SAMPLE_RESOURCE: row(choice('on', 'off'), 'on', 'The public sample, test_id=samplereport.'),
};

const smtp = {
  SMTP_HOST: row(host, '127.0.0.1', 'Where SMTP listens.', { fixed: '0.0.0.0' }),
  SMTP_PORT: row(port, '2525', '25 for mail from outside.', { fixed: '2525' }),
  SMTP_HOSTNAME: row(domainName, null, 'The name in the greeting. Default: MAIL_DOMAIN.'),
  SMTP_TLS_CERT_FILE: row(file, null, 'The PEM chain for STARTTLS. Default: a self-signed one.'),
  SMTP_TLS_KEY_FILE: row(file, null, 'The PEM private key of that certificate.'),
  SMTP_MAX_MESSAGE_BYTES: row(bytes(1024, 100 * MIB), '10485760', 'Largest mail, in bytes.'),
  MAIL_MEMORY_BYTES: row(
    bytes(1024, TIB),
    '268435456',
    'Memory for all mails held at once, in bytes. More than that is answered 452.',
  ),
  SMTP_MAX_CLIENTS: row(integer('connections', 1, 100_000), '200', 'Connections at once.'),
  SMTP_MAX_CLIENTS_PER_IP: row(
    connections,
    '20',
    'Connections at once from one IPv4 address or IPv6 /64; a /24 and a /48 may have four times as many, a /56 twice.',
  ),
  SMTP_XCLIENT_FROM: row(
    cidrs,
    null,
    'Ranges of relays and test clients that may state another client by XCLIENT. Default: none.',
  ),
};

const inbound = {
  INBOUND_PROVIDER: row(
    choice('none', 'cloudflare'),
    'none',
    'cloudflare opens POST /inbound/cloudflare (docs/receiving.md). SMTP stays open too.',
  ),
  INBOUND_TOKEN: row(
    token,
    null,
    "A long random secret, the same one in the provider's Worker. Required with a provider.",
  ),
};

const log = {
  NATS_URL: row(
    natsServers,
    null,
    'nats-servers, separated by commas. Default: the service runs one of its own in DATA_DIR.',
    { fixed: 'tls://nats-1:4222,tls://nats-2:4222,tls://nats-3:4222' },
  ),
  NATS_USER: row(line, null, 'The user; its password is in NATS_PASSWORD_FILE.', {
    fixed: 'service',
  }),
  NATS_PASSWORD_FILE: row(file, null, 'A file that holds the password.', {
    fixed: '/run/secrets/nats_password',
  }),
  NATS_TOKEN: row(line, null, 'A token, in place of user and password.'),
  NATS_CREDS_FILE: row(file, null, 'A .creds file, in place of user and password.'),
  NATS_TLS_CA_FILE: row(file, null, 'The PEM certificate of the authority, for TLS.', {
    fixed: '/run/secrets/nats_ca.pem',
  }),
  NATS_MONITORING_URL: row(
    url,
    null,
    "Where the server's /varz is read, to warn of delayed syncs. Default: port 8222 of the first server.",
  ),
  NATS_REPLICAS: row(copies, '1', 'Copies of each stream: 1 on a single server, 3 on a cluster.', {
    fixed: '3',
  }),
  NATS_SERVER_BIN: row(line, null, 'A nats-server 2.10 or newer. Default: the set-up finds one.'),
  DATA_DIR: row(line, './data', "Where the service's own nats-server keeps the log.", {
    fixed: '/data',
  }),
  TESTS_MAX_BYTES: row(bytes(MIB, TIB), '1073741824', 'Size of the stream TESTS, in bytes.'),
  REPORTS_MAX_BYTES: row(
    bytes(MIB, TIB),
    '4294967296',
    'Size of the stream REPORTS, in bytes; the bucket of reports takes three quarters of it more.',
  ),
  PAYMENTS_MAX_BYTES: row(bytes(MIB, TIB), '1073741824', 'Size of the stream PAYMENTS, in bytes.'),
};

const lookups = {
  DNS_SERVERS: row(
    resolvers,
    null,
    "Resolvers as ip:port. Default: the system's. Blocklists refuse public resolvers.",
    { unset: '172.30.25.53:5353' },
  ),
  DNS_QUERIES_PER_CLIENT: row(
    queries,
    '6000',
    'DNS queries that the mails of one client (IPv4, or IPv6 /64) may cause in a minute; 0: no limit. A mail needs 30 to 60, at most 300. Loopback is not limited.',
  ),
  DNS_QUERIES_PER_TEST: row(
    queries,
    '3000',
    'DNS queries that the mails of one test may cause in all; 0: no limit.',
  ),
  NAT64_PREFIXES: row(
    nat64Prefixes,
    null,
    "Prefixes of your network's own NAT64: a policy or logo is fetched from such an address only if the IPv4 address in it is public. 64:ff9b::/96 is always one. Default: no other.",
  ),
  REFUSAL_BLOCKLISTS: row(
    domainNames,
    'psbl.surriel.com',
    'A sending IP on one of these is refused.',
  ),
  DNSBLS: row(
    dnsbls,
    null,
    'More blocklists to ask about the sending address: they refuse nothing and are in the report. Most want a resolver or a key of your own. Default: none.',
  ),
  DMARC_REFUSE_POLICIES: row(
    wordList('quarantine', 'reject'),
    'quarantine,reject',
    'DMARC policies that refuse a mail that fails them.',
  ),
  WEB_RISK_API_KEY: row(line, null, 'Google Web Risk. Without a key links stay "not_checked".'),
  WEB_RISK_URL: row(url, 'https://webrisk.googleapis.com', 'Where Web Risk is.'),
};

const durations = {
  RECEIVE_WINDOW_SECONDS: row(seconds(7 * DAY), '3600', 'From creation until no mail is taken.'),
  REFUSAL_TIMEOUT_SECONDS: row(seconds(7 * DAY), '900', 'From a refusal until it is final.'),
  ANALYSIS_TIMEOUT_SECONDS: row(seconds(3600), '60', 'After which a lost analysis is given up.'),
  RETENTION_SECONDS: row(
    seconds(30 * DAY),
    '86400',
    'From the mail until the report is deleted, and from creation until an unused test is.',
  ),
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

type ValueOf<R> = R extends SettingRow<infer T> ? T : never;

/** What the settings say, by their names; null where nothing is set and nothing is the default. */
export type SettingValues = { readonly [N in Name]: ValueOf<(typeof table)[N]> };
