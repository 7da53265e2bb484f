/**
 * Reads and checks the settings of the service, or only those that are required to reach the log, and returns
 * them as one typed object.
 */

import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { USDC } from '../domain/usdc.ts';
import { FIXED, type Fixed } from './constants.ts';
import {
  ConfigError,
  type Environment,
  loadEnvironment,
  misspelt,
  names,
  readValues,
  removedIn,
} from './environment.ts';
import { logRules, type Rules, rules } from './rules.ts';
import type { Name, SettingValues } from './settings.ts';

/** Maximum size of an email, in bytes. */
const MAX_MESSAGE_BYTES = 10 * 2 ** 20;

/** Price of a report in atomic units of USDC (six decimals): USD 0.05. */
const PRICE = '50000';

interface Source {
  readonly env: Environment;
  /** Further faults of the source of the settings, such as unknown names in `.env`. */
  readonly unknown?: readonly string[];
}

/**
 * Returns the values of the settings if they are all valid.
 * @param only the settings to check; all of them by default
 * @throws ConfigError that names every fault at once
 */
function check(
  { env, unknown = [] }: Source,
  rules: Rules,
  only: readonly Name[] = names,
): SettingValues {
  const { values, faults, isSet } = readValues(env);
  const wrongAlone = new Set(faults.keys());
  const isWrong = (name: Name) => wrongAlone.has(name);
  // If a setting is wrong on its own, it already has a message.
  for (const rule of Object.values(rules))
    for (const [name, what] of rule({ values, isSet, isWrong }))
      if (!faults.has(name)) faults.set(name, what);
  const wrong = [...faults]
    .filter(([name]) => only.includes(name))
    .map(([name, what]) => `${name} ${what}`);
  const all = [...wrong, ...misspelt(env), ...unknown];
  if (all.length > 0) throw new ConfigError(all);
  return values;
}

const natsOf = (values: SettingValues, { natsMonitoringUrl }: Fixed) => ({
  /** URL of the NATS servers. Null if the service runs a nats-server of its own in `dataDir`. */
  url: values.NATS_URL,
  monitoringUrl: natsMonitoringUrl,
  user: values.NATS_USER,
  password: values.NATS_PASSWORD_FILE,
  token: values.NATS_TOKEN,
  credentials: values.NATS_CREDS_FILE,
  tlsCa: values.NATS_TLS_CA_FILE,
  replicas: values.NATS_REPLICAS,
  storeKey: values.NATS_STORE_KEY_FILE,
  testsMaxBytes: values.TESTS_MAX_BYTES,
  reportsMaxBytes: values.REPORTS_MAX_BYTES,
  paymentsMaxBytes: values.PAYMENTS_MAX_BYTES,
});

const assetOf = ({ X402_NETWORK: network }: SettingValues) => {
  const { address: asset, name: assetName, version: assetVersion } = USDC[network];
  return { network, asset, assetName, assetVersion };
};

const paymentOf = (values: SettingValues) => ({
  payTo: values.X402_PAY_TO ?? '',
  rpcUrl: values.X402_RPC_URL ?? '',
  secondRpcUrl: values.X402_SECOND_RPC_URL,
  /** URL of the x402 facilitator. Null if our own wallet sends the transfers. */
  facilitatorUrl: values.X402_FACILITATOR_URL,
  cdpKey: values.X402_CDP_KEY_FILE,
  walletKey: values.X402_WALLET_KEY_FILE,
  /** URL of the external signer. Null if the wallet's key is in a file. */
  signerUrl: values.X402_SIGNER_URL,
  walletAddress: values.X402_WALLET_ADDRESS,
  /** Limits on what our wallet may spend on gas, in wei. */
  gasLimits: {
    perSettlement: values.X402_MAX_SPEND_PER_HOUR / 100n,
    perHour: values.X402_MAX_SPEND_PER_HOUR,
  },
  ...assetOf(values),
  amount: PRICE,
});

/**
 * Reads and checks every setting of the service from `env`. The setting's row in `settings.ts` explains its
 * meaning.
 *
 * @param fixed replaces values that no setting changes
 * @throws ConfigError that names every fault at once
 */
export const readConfig = (env: Environment, fixed: Partial<Fixed> = {}) =>
  toConfig({ env }, { ...FIXED, ...fixed });

/** Reads the settings of this process from its environment and `.env`. */
export const loadConfig = (fixed: Partial<Fixed> = {}) =>
  toConfig(loadEnvironment(), { ...FIXED, ...fixed });

function toConfig(source: Source, fixed: Fixed) {
  const values = check(source, rules);
  const { SMTP_TLS_CERT_FILE: cert, SMTP_TLS_KEY_FILE: key } = source.env;
  return {
    /** Names that are set in the environment but are no longer settings. */
    removed: removedIn(source.env),
    contactEmail: values.CONTACT_EMAIL,
    sendCommand: fixed.sendCommand,
    replicaId: fixed.replicaId ?? `${hostname()}-${process.pid}`.slice(-100),
    mailDomain: values.MAIL_DOMAIN,
    dataDir: resolve(values.DATA_DIR),
    logLevel: values.LOG_LEVEL,
    /** URL to which traces are sent. Null if no traces are sent. */
    tracesEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    http: {
      baseUrl: values.BASE_URL,
      host: values.HTTP_HOST,
      port: values.HTTP_PORT,
      metricsHost: values.METRICS_HOST,
      metricsPort: values.METRICS_PORT,
      trustProxy: values.TRUST_PROXY ?? [],
      /** Maximum number of new tests per minute for all clients together; 0 means no limit. */
      createPerMinute: values.RATE_LIMIT_CREATE && fixed.createPerMinute,
      rateLimits: { create: values.RATE_LIMIT_CREATE, ...fixed.rateLimits },
    },
    smtp: {
      host: values.SMTP_HOST,
      port: values.SMTP_PORT,
      hostname: values.SMTP_HOSTNAME ?? values.MAIL_DOMAIN,
      /** The TLS certificate in PEM. Null if a self-signed pair is made at the start. */
      certificate: values.SMTP_TLS_CERT_FILE,
      privateKey: values.SMTP_TLS_KEY_FILE,
      /** Paths of the files with the certificate and key, so that renewed ones are noticed. */
      certificateFiles: cert && key ? { cert, key } : null,
      maxMessageBytes: MAX_MESSAGE_BYTES,
      mailMemoryBytes: values.MAIL_MEMORY_BYTES,
      maxClients: values.SMTP_MAX_CLIENTS,
      relays: {
        xclient: values.SMTP_XCLIENT_FROM ?? [],
        xforward: values.SMTP_XFORWARD_FROM ?? [],
        proxy: values.SMTP_PROXY_FROM ?? [],
      },
    },
    /** Token of the inbound provider. Null if no provider delivers email. */
    inboundToken: values.INBOUND_TOKEN,
    nats: natsOf(values, fixed),
    analysis: {
      /** Addresses of DNS resolvers. If empty, the system's resolvers are used. */
      dnsServers: values.DNS_SERVERS ?? [],
      dnsValidates: values.DNS_VALIDATES === 'on',
      dnsQueriesPerClient: fixed.dnsQueriesPerClient,
      dnsQueriesPerTest: fixed.dnsQueriesPerTest,
      nat64Prefixes: values.NAT64_PREFIXES ?? [],
      refusalBlocklists: values.REFUSAL_BLOCKLISTS,
      dnsbls: values.DNSBLS ?? [],
      webRiskApiKey: values.WEB_RISK_API_KEY,
      visitsMailHosts: values.MX_STARTTLS === 'on',
      filters: { spamd: values.SPAMD_ADDRESS, rspamd: values.RSPAMD_URL },
    },
    /** Settings of payments. Null if reports are free. */
    payment: values.PAYMENTS === 'on' ? paymentOf(values) : null,
    durations: fixed.durations,
  };
}

export type Config = ReturnType<typeof readConfig>;

/** The settings that are required to sell reports. */
export type PaymentConfig = NonNullable<Config['payment']>;

/**
 * Reads the settings that are required to reach the log. The operator's commands use it, because they need no
 * wallet.
 *
 * @throws ConfigError that names every fault at once
 */
export function loadLogConfig() {
  const isOfLog = (name: Name) =>
    /^NATS_|^DATA_DIR$|_MAX_BYTES$|^X402_(RPC_URL|PAY_TO|NETWORK)$/.test(name);
  const values = check(loadEnvironment(), logRules, names.filter(isOfLog));
  return {
    nats: natsOf(values, FIXED),
    dataDir: resolve(values.DATA_DIR),
    /**
     * URL of the blockchain node, which is used only to find payments on the chain and to compare them with
     * it.
     */
    rpcUrl: values.X402_RPC_URL,
    payTo: values.X402_PAY_TO,
    amount: PRICE,
    durations: FIXED.durations,
    ...assetOf(values),
  };
}
