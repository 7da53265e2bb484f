import { privateKeyToAccount } from 'viem/accounts';
import { MAX_QUERIES } from '../adapters/dns/budgets.ts';
import { STORE_BYTES } from '../adapters/embedded-nats/server-config.ts';
import { fullBytes } from '../adapters/nats/streams.ts';
import { faultOfKeyPair, readCertificatePem } from './key-pair.ts';
import { type Name, type SettingValues, table } from './table.ts';

/** USDC where a report may be sold for it: a wrong pair of chain and token takes no payment. */
const USDC: Readonly<Record<string, { readonly asset: string; readonly name: string }>> = {
  'eip155:8453': { asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', name: 'USD Coin' },
  'eip155:84532': { asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e', name: 'USDC' },
};

const names = Object.keys(table) as readonly Name[];

/** A setting and what is wrong with it beside the others. */
type Fault = readonly [name: Name, what: string];

interface Given {
  readonly values: SettingValues;
  /** Whether something is set, be it right or wrong. */
  readonly isSet: (name: Name) => boolean;
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

const throws = (call: () => unknown): boolean => {
  try {
    call();
    return false;
  } catch {
    return true;
  }
};

function http({ values: { HTTP_HOST, HTTP_PORT, METRICS_PORT, SMTP_HOST, SMTP_PORT } }: Given) {
  const faults: Fault[] = [];
  if (HTTP_PORT !== 0 && HTTP_PORT === METRICS_PORT)
    faults.push(['METRICS_PORT', 'must be another port than HTTP_PORT.']);
  if (SMTP_PORT !== 0 && SMTP_HOST === HTTP_HOST && [HTTP_PORT, METRICS_PORT].includes(SMTP_PORT))
    faults.push(['SMTP_PORT', 'must be another port than HTTP_PORT and METRICS_PORT.']);
  return faults;
}

const PAIR_FAULTS: Readonly<Record<'certificate' | 'key' | 'pair', Fault>> = {
  certificate: ['SMTP_TLS_CERT_FILE', 'must name a PEM file that begins with the certificate.'],
  key: ['SMTP_TLS_KEY_FILE', 'must name a PEM file of a private key without a passphrase.'],
  pair: ['SMTP_TLS_KEY_FILE', 'must name the key of the certificate in SMTP_TLS_CERT_FILE.'],
};

function smtp({ values, isSet }: Given): Fault[] {
  const { SMTP_TLS_CERT_FILE: certificate, SMTP_TLS_KEY_FILE: key } = values;
  const faults: Fault[] = [];
  if (values.MAIL_MEMORY_BYTES < values.SMTP_MAX_MESSAGE_BYTES)
    faults.push([
      'MAIL_MEMORY_BYTES',
      'must be at least SMTP_MAX_MESSAGE_BYTES: one mail has to fit.',
    ]);
  if (values.SMTP_MAX_CLIENTS_PER_IP > values.SMTP_MAX_CLIENTS)
    faults.push(['SMTP_MAX_CLIENTS_PER_IP', 'must be at most SMTP_MAX_CLIENTS.']);
  if (isSet('SMTP_TLS_CERT_FILE') !== isSet('SMTP_TLS_KEY_FILE'))
    faults.push(['SMTP_TLS_CERT_FILE', 'and SMTP_TLS_KEY_FILE go together: set both or neither.']);
  const fault = faultOfKeyPair(certificate, key);
  if (fault !== null) faults.push(PAIR_FAULTS[fault]);
  return faults;
}

function inbound({ values: { INBOUND_PROVIDER }, isSet }: Given): Fault[] {
  return INBOUND_PROVIDER === 'none' || isSet('INBOUND_TOKEN')
    ? []
    : [
        [
          'INBOUND_TOKEN',
          `is needed with INBOUND_PROVIDER=${INBOUND_PROVIDER}: the secret that its side shows.`,
        ],
      ];
}

function log({ values, isSet }: Given): Fault[] {
  const faults: Fault[] = [];
  if (values.NATS_REPLICAS > 1 && !isSet('NATS_URL'))
    faults.push([
      'NATS_URL',
      `is needed with NATS_REPLICAS=${values.NATS_REPLICAS}: the service's own server is one.`,
    ]);
  if (isSet('NATS_USER') !== isSet('NATS_PASSWORD_FILE'))
    faults.push(['NATS_USER', 'and NATS_PASSWORD_FILE go together: set both or neither.']);
  const ways = (['NATS_USER', 'NATS_TOKEN', 'NATS_CREDS_FILE'] as const).filter(isSet);
  if (ways.length > 1)
    faults.push([
      ways[0] ?? 'NATS_USER',
      `and ${ways.slice(1).join(' and ')} exclude each other: keep one.`,
    ]);
  const authority = values.NATS_TLS_CA_FILE;
  if (authority !== null && readCertificatePem(authority) === null)
    faults.push(['NATS_TLS_CA_FILE', 'must name a PEM file of a certificate.']);
  const full = fullBytes({
    testsMaxBytes: values.TESTS_MAX_BYTES,
    reportsMaxBytes: values.REPORTS_MAX_BYTES,
    paymentsMaxBytes: values.PAYMENTS_MAX_BYTES,
  });
  if (!isSet('NATS_URL') && full > STORE_BYTES)
    faults.push([
      'REPORTS_MAX_BYTES',
      `and TESTS_MAX_BYTES, PAYMENTS_MAX_BYTES and their buckets take ${full} bytes, more than the ${STORE_BYTES} of the service's own nats-server: lower one of them.`,
    ]);
  return faults;
}

/** Whether it says nothing but the default, as a copy of `.env.example` does. */
function isDefault(name: Name, value: unknown): boolean {
  const { kind, fallback } = table[name];
  return fallback !== null && kind.parse(fallback) === value;
}

/** A price that nobody is asked would be a mistake, on one side or the other. */
const unpaid = ({ values, isSet }: Given): Fault[] =>
  names
    .filter((name) => name.startsWith('X402_') && isSet(name) && !isDefault(name, values[name]))
    .map((name) => [name, 'does not go with PAYMENTS=off: remove one of the two.']);

function money(given: Given): Fault[] {
  const { values, isSet } = given;
  if (values.PAYMENTS === 'off') return unpaid(given);
  const needed = (name: Name, why: string): Fault[] =>
    isSet(name) ? [] : [[name, `is needed ${why}`]];
  const key = values.X402_WALLET_KEY_FILE;
  const isKey = (text: string) =>
    /^0x[0-9a-fA-F]{64}$/.test(text) && !throws(() => privateKeyToAccount(text as `0x${string}`));
  return [
    ...needed('X402_PAY_TO', 'to sell reports: the address that is paid.'),
    ...needed('X402_RPC_URL', 'to sell reports: a JSON-RPC node of the chain.'),
    ...(values.X402_SETTLEMENT === 'facilitator'
      ? needed('X402_FACILITATOR_URL', 'with X402_SETTLEMENT=facilitator.')
      : isSet('X402_SIGNER_URL')
        ? needed('X402_WALLET_ADDRESS', "with X402_SIGNER_URL: the wallet's address.")
        : needed(
            'X402_WALLET_KEY_FILE',
            'with X402_SETTLEMENT=self: a file of one line, 0x and 64 hex digits.',
          )),
    ...(values.X402_SETTLEMENT === 'self' && key !== null && !isKey(key)
      ? [
          [
            'X402_WALLET_KEY_FILE',
            'must name a file of one line, 0x and 64 hex digits, that is a private key.',
          ] as const,
        ]
      : []),
    ...(isSet('X402_CDP_KEY_ID') !== isSet('X402_CDP_KEY_SECRET_FILE')
      ? [
          [
            'X402_CDP_KEY_ID',
            'and X402_CDP_KEY_SECRET_FILE go together: set both or neither.',
          ] as const,
        ]
      : []),
    ...(values.X402_PAY_TO !== null && same(values.X402_PAY_TO, values.X402_ASSET)
      ? [['X402_PAY_TO', "must be your own address, not the token's."] as const]
      : []),
    ...asset(values),
  ];
}

/** The chain, the token and its name belong together. */
function asset({
  X402_NETWORK,
  X402_ASSET,
  X402_ASSET_NAME,
  X402_ASSET_VERSION,
}: SettingValues): Fault[] {
  const [home] = Object.entries(USDC).find(([, { asset }]) => same(asset, X402_ASSET)) ?? [];
  const usdc = USDC[X402_NETWORK];
  if (home !== undefined && home !== X402_NETWORK)
    return [
      [
        'X402_ASSET',
        `is the USDC of ${home}, not of ${X402_NETWORK}${usdc ? `: set ${usdc.asset}` : ': set the token of that chain'}.`,
      ],
    ];
  if (!usdc || home === undefined) return [];
  const faults: Fault[] = [];
  if (X402_ASSET_NAME !== usdc.name)
    faults.push([
      'X402_ASSET_NAME',
      `must be "${usdc.name}" for the USDC of ${X402_NETWORK}: no signature fits another.`,
    ]);
  if (X402_ASSET_VERSION !== '2')
    faults.push([
      'X402_ASSET_VERSION',
      `must be 2 for the USDC of ${X402_NETWORK}: no signature fits another.`,
    ]);
  return faults;
}

/** Else no mail at all could be read. */
function lookups({ values }: Given): Fault[] {
  const names = ['DNS_QUERIES_PER_CLIENT', 'DNS_QUERIES_PER_TEST'] as const;
  return names
    .filter((name) => values[name] > 0 && values[name] < MAX_QUERIES)
    .map((name) => [name, `must be 0 or at least ${MAX_QUERIES}: one mail may need so many.`]);
}

function durations({ values: { RETENTION_SECONDS, RECEIVE_WINDOW_SECONDS } }: Given): Fault[] {
  return RETENTION_SECONDS < RECEIVE_WINDOW_SECONDS
    ? [
        [
          'RETENTION_SECONDS',
          'must be at least RECEIVE_WINDOW_SECONDS, or a test is deleted while it waits for its mail.',
        ],
      ]
    : [];
}

/** What of the settings does not go together. */
export const rules = { http, smtp, inbound, log, lookups, money, durations };

/** Rules for reaching the log alone. */
export const logRules = { log };

export type Rules = Readonly<Record<string, (given: Given) => readonly Fault[]>>;
