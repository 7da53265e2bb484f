import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { nearest } from './nearest.ts';
import { ConfigError, type Environment, misspelt, names, readValues } from './read-values.ts';
import { logRules, type Rules, rules } from './rules.ts';
import { type Name, type SettingValues, table } from './table.ts';

const ENV_FILE = '.env';

/** Names in `.env` that are not for the service: docker-compose.yml reads them, or Node.js. */
const OTHERS = /^(SITE_ADDRESS|NODE|NATS_HOSTS|TZ|COMPOSE_\w+|NODE_\w+|\w+_PROXY)$/i;

interface Source {
  readonly env: Environment;
  /** What else is wrong with where the settings come from. */
  readonly unknown?: readonly string[];
}

/**
 * @param only the settings that matter; without, every one
 * @throws ConfigError that names every fault at once
 */
function check(
  { env, unknown = [] }: Source,
  rules: Rules,
  only: readonly Name[] = names,
): SettingValues {
  const { values, faults, isSet } = readValues(env);
  // A setting that is wrong by itself has its own message already.
  for (const rule of Object.values(rules))
    for (const [name, what] of rule({ values, isSet }))
      if (!faults.has(name)) faults.set(name, what);
  const wrong = [...faults]
    .filter(([name]) => only.includes(name))
    .map(([name, what]) => `${name} ${what}`);
  const all = [...wrong, ...misspelt(env), ...unknown];
  if (all.length > 0) throw new ConfigError(all);
  return values;
}

const natsOf = (values: SettingValues) => ({
  /** null: the service runs a nats-server of its own in `dataDir`. */
  url: values.NATS_URL,
  user: values.NATS_USER,
  password: values.NATS_PASSWORD_FILE,
  token: values.NATS_TOKEN,
  credentials: values.NATS_CREDS_FILE,
  tlsCa: values.NATS_TLS_CA_FILE,
  /** null: port 8222 of the first server. */
  monitoringUrl: values.NATS_MONITORING_URL,
  replicas: values.NATS_REPLICAS,
  serverBin: values.NATS_SERVER_BIN,
  storeKey: values.NATS_STORE_KEY_FILE,
  testsMaxBytes: values.TESTS_MAX_BYTES,
  reportsMaxBytes: values.REPORTS_MAX_BYTES,
  paymentsMaxBytes: values.PAYMENTS_MAX_BYTES,
});

const inboundOf = ({ INBOUND_PROVIDER: provider, INBOUND_TOKEN: token }: SettingValues) =>
  provider === 'none' || token === null ? null : { provider, token };

const paymentOf = (values: SettingValues) => ({
  settlement: values.X402_SETTLEMENT,
  payTo: values.X402_PAY_TO ?? '',
  rpcUrl: values.X402_RPC_URL ?? '',
  secondRpcUrl: values.X402_SECOND_RPC_URL,
  facilitatorUrl: values.X402_FACILITATOR_URL,
  cdpKeyId: values.X402_CDP_KEY_ID,
  cdpKeySecret: values.X402_CDP_KEY_SECRET_FILE,
  walletKey: values.X402_WALLET_KEY_FILE,
  /** null: the key is in the file. */
  signerUrl: values.X402_SIGNER_URL,
  walletAddress: values.X402_WALLET_ADDRESS,
  walletFactories:
    values.X402_WALLET_FACTORIES === 'none' ? [] : values.X402_WALLET_FACTORIES.split(/\s*,\s*/),
  /** In wei. */
  gasLimits: {
    perSettlement: values.X402_MAX_FEE_PER_SETTLEMENT,
    perHour: values.X402_MAX_SPEND_PER_HOUR,
  },
  network: values.X402_NETWORK,
  asset: values.X402_ASSET,
  assetName: values.X402_ASSET_NAME,
  assetVersion: values.X402_ASSET_VERSION,
  amount: values.X402_AMOUNT,
});

/**
 * Every setting of the service, checked and typed. What each means is in its row of the table.
 *
 * @throws ConfigError that names every fault at once
 */
export function readConfig(env: Environment, unknown: readonly string[] = []) {
  const values = check({ env, unknown }, rules);
  return {
    contactEmail: values.CONTACT_EMAIL,
    sendCommand: values.SEND_COMMAND,
    replicaId: values.REPLICA_ID ?? `${hostname()}-${process.pid}`.slice(-100),
    mailDomain: values.MAIL_DOMAIN,
    dataDir: resolve(values.DATA_DIR),
    logLevel: values.LOG_LEVEL,
    /** null: no traces. */
    tracesEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    http: {
      baseUrl: values.BASE_URL,
      host: values.HTTP_HOST,
      port: values.HTTP_PORT,
      metricsHost: values.METRICS_HOST,
      metricsPort: values.METRICS_PORT,
      trustProxy: values.TRUST_PROXY ?? [],
      sampleResource: values.SAMPLE_RESOURCE === 'on',
      /** Requests a minute and client; 0: no limit. */
      createPerMinute: values.CREATE_PER_MINUTE,
      rateLimits: {
        create: values.RATE_LIMIT_CREATE,
        wrongToken: values.RATE_LIMIT_WRONG_TOKEN,
        unknownId: values.RATE_LIMIT_UNKNOWN_ID,
        default: values.RATE_LIMIT_DEFAULT,
      },
    },
    smtp: {
      host: values.SMTP_HOST,
      port: values.SMTP_PORT,
      hostname: values.SMTP_HOSTNAME ?? values.MAIL_DOMAIN,
      /** PEM; null: a self-signed pair is made at start. */
      certificate: values.SMTP_TLS_CERT_FILE,
      privateKey: values.SMTP_TLS_KEY_FILE,
      /** Where they were read, to take up renewed ones. */
      certificateFiles:
        env.SMTP_TLS_CERT_FILE && env.SMTP_TLS_KEY_FILE
          ? { cert: env.SMTP_TLS_CERT_FILE, key: env.SMTP_TLS_KEY_FILE }
          : null,
      maxMessageBytes: values.SMTP_MAX_MESSAGE_BYTES,
      mailMemoryBytes: values.MAIL_MEMORY_BYTES,
      maxClients: values.SMTP_MAX_CLIENTS,
      xclientFrom: values.SMTP_XCLIENT_FROM ?? [],
    },
    /** null: no provider hands over mail. */
    inbound: inboundOf(values),
    nats: natsOf(values),
    analysis: {
      /** Empty: the system's resolvers. */
      dnsServers: values.DNS_SERVERS ?? [],
      dnsQueriesPerClient: values.DNS_QUERIES_PER_CLIENT,
      dnsQueriesPerTest: values.DNS_QUERIES_PER_TEST,
      nat64Prefixes: values.NAT64_PREFIXES ?? [],
      refusalBlocklists: values.REFUSAL_BLOCKLISTS,
      dnsbls: values.DNSBLS ?? [],
      dmarcRefusePolicies: values.DMARC_REFUSE_POLICIES,
      webRiskApiKey: values.WEB_RISK_API_KEY,
      webRiskUrl: values.WEB_RISK_URL,
    },
    /** null: reports are free. */
    payment: values.PAYMENTS === 'on' ? paymentOf(values) : null,
    durations: {
      receiveWindowSeconds: values.RECEIVE_WINDOW_SECONDS,
      refusalTimeoutSeconds: values.REFUSAL_TIMEOUT_SECONDS,
      analysisTimeoutSeconds: values.ANALYSIS_TIMEOUT_SECONDS,
      retentionSeconds: values.RETENTION_SECONDS,
    },
  };
}

export type Config = ReturnType<typeof readConfig>;

/** What it takes to sell reports. */
export type PaymentConfig = NonNullable<Config['payment']>;

/** The environment, and `.env` for what it does not name; there, every name has to be a setting. */
function loadEnvironment(): Source {
  if (!existsSync(ENV_FILE)) return { env: process.env };
  const file = parseEnv(readFileSync(ENV_FILE, 'utf8'));
  const unknown = Object.keys(file)
    .filter((name) => !(name in table) && !OTHERS.test(name) && !nearest(name, names))
    .map((name) => `${name} in .env is no setting: remove it.`);
  return { env: { ...file, ...process.env }, unknown };
}

/** The settings of this process. */
export function loadConfig(): Config {
  const { env, unknown } = loadEnvironment();
  return readConfig(env, unknown);
}

/**
 * What is needed to reach the log: an operator's command needs no wallet.
 *
 * @throws ConfigError that names every fault at once
 */
export function loadLogConfig() {
  const isOfLog = (name: Name) =>
    /^NATS_|^DATA_DIR$|_MAX_BYTES$|^X402_(RPC_URL|PAY_TO|NETWORK|ASSET|AMOUNT)$|^(RECEIVE_WINDOW|RETENTION)_/.test(
      name,
    );
  const values = check(loadEnvironment(), logRules, names.filter(isOfLog));
  return {
    nats: natsOf(values),
    dataDir: resolve(values.DATA_DIR),
    /** Only to compare payments with the chain, and to find them there. */
    rpcUrl: values.X402_RPC_URL,
    payTo: values.X402_PAY_TO,
    amount: values.X402_AMOUNT,
    durations: {
      receiveWindowSeconds: values.RECEIVE_WINDOW_SECONDS,
      retentionSeconds: values.RETENTION_SECONDS,
    },
    network: values.X402_NETWORK,
    asset: values.X402_ASSET,
  };
}
