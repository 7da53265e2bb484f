/**
 * Checks which settings are required together, exclude each other or contradict each other, and some values
 * that are valid as text, such as certificates, keys and the addresses of spam filters.
 */

import { createECDH } from 'node:crypto';
import { STORE_BYTES } from '../adapters/embedded-nats/server-config.ts';
import { fullBytes } from '../adapters/nats/streams.ts';
import { outsideOf } from '../domain/filter-address.ts';
import { USDC } from '../domain/usdc.ts';
import { faultOfKeyPair, orNull, readCertificatePem } from './key-pair.ts';
import { overlap } from './ranges.ts';
import { type Name, type SettingValues, table } from './settings.ts';

/** The name of a setting, and what is wrong with it in combination with others. */
type Fault = readonly [name: Name, what: string];

interface Given {
  readonly values: SettingValues;
  /** Returns whether a setting has a value, valid or not. */
  readonly isSet: (name: Name) => boolean;
  /** Returns whether a value is wrong on its own, so that the default is used instead. */
  readonly isWrong: (name: Name) => boolean;
}

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

const when = (isWrong: boolean, name: Name, what: string): readonly Fault[] =>
  isWrong ? [[name, what]] : [];

const PAIR_FAULTS: Readonly<Record<'certificate' | 'key' | 'pair', Fault>> = {
  certificate: ['SMTP_TLS_CERT_FILE', 'must name a PEM file that begins with the certificate.'],
  key: ['SMTP_TLS_KEY_FILE', 'must name a PEM file with a private key that has no passphrase.'],
  pair: [
    'SMTP_TLS_KEY_FILE',
    'must name the key that belongs to the certificate in SMTP_TLS_CERT_FILE.',
  ],
};

function smtp({ values, isSet }: Given): readonly Fault[] {
  const { SMTP_TLS_CERT_FILE: certificate, SMTP_TLS_KEY_FILE: key } = values;
  const fault = faultOfKeyPair(certificate, key);
  return [
    ...together(isSet, 'SMTP_TLS_CERT_FILE', 'SMTP_TLS_KEY_FILE'),
    ...(fault === null ? [] : [PAIR_FAULTS[fault]]),
    ...overlaps(values),
  ];
}

const LISTENERS = [
  ['HTTP_HOST', 'HTTP_PORT'],
  ['METRICS_HOST', 'METRICS_PORT'],
  ['SMTP_HOST', 'SMTP_PORT'],
] as const;

const ALL_ADDRESSES = ['0.0.0.0', '::'];

/** Finds ports that two listeners of the service would share. Port 0 stands for any free port. */
function ports({ values }: Given): readonly Fault[] {
  const meets = (one: string, other: string) =>
    one === other || ALL_ADDRESSES.includes(one) || ALL_ADDRESSES.includes(other);
  return LISTENERS.flatMap(([host, port], at) =>
    LISTENERS.slice(at + 1).flatMap(([otherHost, otherPort]) =>
      when(
        values[port] !== 0 &&
          values[port] === values[otherPort] &&
          meets(values[host], values[otherHost]),
        otherPort,
        `and ${port} are both ${values[port]}: set different ports.`,
      ),
    ),
  );
}

const RELAYS = ['SMTP_XCLIENT_FROM', 'SMTP_XFORWARD_FROM', 'SMTP_PROXY_FROM'] as const;

/**
 * Finds peers that are listed for two relay protocols. Each peer may use only one of them to name clients:
 * with two, the peer's own clients could choose the other.
 */
function overlaps(values: SettingValues): readonly Fault[] {
  const pairs = RELAYS.flatMap((one, at) =>
    RELAYS.slice(at + 1).map((other) => [one, other] as const),
  );
  return pairs.flatMap(([one, other]) =>
    (values[one] ?? []).flatMap((range) =>
      (values[other] ?? [])
        .filter((its) => overlap(range, its))
        .map(
          (its): Fault => [
            one,
            `(${range}) and ${other} (${its}) overlap: list each relay only in the setting of the protocol that it uses.`,
          ],
        ),
    ),
  );
}

const together = (isSet: Given['isSet'], one: Name, other: Name): readonly Fault[] =>
  when(isSet(one) !== isSet(other), one, `and ${other} go together: set both or neither.`);

/** Settings of the connection to another server. The service's own server would silently ignore them. */
const REMOTE = ['NATS_USER', 'NATS_TOKEN', 'NATS_CREDS_FILE', 'NATS_TLS_CA_FILE'] as const;

function log({ values, isSet }: Given): readonly Fault[] {
  const ways = (['NATS_USER', 'NATS_TOKEN', 'NATS_CREDS_FILE'] as const).filter(isSet);
  const authority = values.NATS_TLS_CA_FILE;
  const full = fullBytes({
    testsMaxBytes: values.TESTS_MAX_BYTES,
    reportsMaxBytes: values.REPORTS_MAX_BYTES,
    paymentsMaxBytes: values.PAYMENTS_MAX_BYTES,
  });
  return [
    ...when(
      values.NATS_REPLICAS > 1 && !isSet('NATS_URL'),
      'NATS_URL',
      `is required with NATS_REPLICAS=${values.NATS_REPLICAS}: the service's own nats-server is a single server.`,
    ),
    ...when(
      isSet('NATS_STORE_KEY_FILE') && isSet('NATS_URL'),
      'NATS_STORE_KEY_FILE',
      "is only for the service's own nats-server: set `cipher` and `key` on the server of NATS_URL instead.",
    ),
    ...(isSet('NATS_URL') ? [] : REMOTE.filter(isSet)).map(
      (name): Fault => [name, 'is for the server of NATS_URL: set NATS_URL too, or remove this.'],
    ),
    ...together(isSet, 'NATS_USER', 'NATS_PASSWORD_FILE'),
    ...when(
      ways.length > 1,
      ways[0] ?? 'NATS_USER',
      `and ${ways.slice(1).join(' and ')} are mutually exclusive: keep one.`,
    ),
    ...when(
      authority !== null && readCertificatePem(authority) === null,
      'NATS_TLS_CA_FILE',
      'must name a PEM certificate file.',
    ),
    ...when(
      !isSet('NATS_URL') && full > STORE_BYTES,
      'REPORTS_MAX_BYTES',
      `and TESTS_MAX_BYTES, PAYMENTS_MAX_BYTES and their buckets need ${full} bytes, more than the ${STORE_BYTES} bytes of the service's own nats-server: lower one of them.`,
    ),
  ];
}

const OUTSIDE = {
  'host name': 'names a host, and a host name can resolve to any address',
  public: 'is a public address, and emails would leave your network',
  other: 'is neither loopback nor a private address',
} as const;

/**
 * Allows spam filters only on this machine or in the operator's own network, because emails are sent to them.
 */
const filters = ({ values }: Given): readonly Fault[] =>
  (['SPAMD_ADDRESS', 'RSPAMD_URL'] as const).flatMap((name) => {
    const address = values[name];
    const outside = address && outsideOf(address);
    const accepted =
      'use loopback (127.0.0.1, [::1]), a private address (10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, fc00::/7) or a Unix socket.';
    return outside ? [[name, `${OUTSIDE[outside]}: ${accepted}`] as const] : [];
  });

/** Returns whether a value equals the default, as in a copy of `.env.example`. */
function isDefault(name: Name, value: unknown): boolean {
  const { kind, fallback } = table[name];
  return fallback !== null && kind.parse(fallback) === value;
}

/**
 * Returns whether a setting may be set without selling reports. A wallet key alone charges nobody, and
 * docker-compose.yml always sets the path of its file.
 */
const isHarmless = (name: Name) => name === 'X402_WALLET_KEY_FILE';

/**
 * Finds payment settings that are set although PAYMENTS=off asks nobody to pay. One of the two must be a
 * mistake.
 */
const unpaid = ({ values, isSet }: Given): readonly Fault[] =>
  (Object.keys(table) as readonly Name[])
    .filter((name) => name.startsWith('X402_') && isSet(name) && !isHarmless(name))
    .filter((name) => !isDefault(name, values[name]))
    .map((name) => [name, 'cannot be combined with PAYMENTS=off: remove one of the two.']);

function money(given: Given): readonly Fault[] {
  const { values, isSet, isWrong } = given;
  if (isWrong('PAYMENTS')) return [];
  if (values.PAYMENTS === 'off') return unpaid(given);
  return [
    ...needed(
      given,
      'X402_PAY_TO',
      'to sell reports: the address that receives payments. With PAYMENTS=off it is not required, and every report is free.',
    ),
    ...needed(given, 'X402_RPC_URL', 'to sell reports: a JSON-RPC node of the chain.'),
    ...(isSet('X402_FACILITATOR_URL') ? [] : ownWallet(given)),
    ...when(
      values.X402_PAY_TO !== null && same(values.X402_PAY_TO, USDC[values.X402_NETWORK].address),
      'X402_PAY_TO',
      'must be your own address, not that of the USDC contract.',
    ),
  ];
}

const needed = ({ isSet }: Given, name: Name, why: string) =>
  when(!isSet(name), name, `is required ${why}`);

function ownWallet(given: Given): readonly Fault[] {
  const key = given.values.X402_WALLET_KEY_FILE;
  const isKey = (text: string) =>
    /^0x[0-9a-fA-F]{64}$/.test(text) &&
    orNull(() => createECDH('secp256k1').setPrivateKey(text.slice(2), 'hex')) !== null;
  return [
    ...(given.isSet('X402_SIGNER_URL')
      ? needed(given, 'X402_WALLET_ADDRESS', "with X402_SIGNER_URL: the wallet's address.")
      : needed(
          given,
          'X402_WALLET_KEY_FILE',
          'without X402_FACILITATOR_URL: a file with one line, 0x and 64 hex digits.',
        )),
    ...when(
      key !== null && !isKey(key),
      'X402_WALLET_KEY_FILE',
      'must name a file with one line, 0x and 64 hex digits, that is a valid private key.',
    ),
  ];
}

/** All rules that find settings which contradict each other, by area. */
export const rules = { ports, smtp, log, filters, money };

/** The rules for the settings that are required to reach the log. */
export const logRules = { log };

export type Rules = Readonly<Record<string, (given: Given) => readonly Fault[]>>;
