import type { DnsAnswer, MxRecord } from '../../ports/dns.ts';

/** One line of the doctor's: what was looked at, what was seen, what to do. */
export interface Diagnosis {
  readonly level: 'ok' | 'warn' | 'fail';
  readonly check: string;
  readonly detail: string;
  /** In the imperative; none when all is well. */
  readonly advice?: string;
}

/** Days of validity left from which on a certificate should be renewed. */
const RENEW_DAYS = 14;
const DAY_MS = 86_400_000;

/** Settlements that a wallet should be good for, and those below which nothing is sold. */
const LOW_FUNDS = 200;
const NO_FUNDS = 5;

const ok = (check: string, detail: string): Diagnosis => ({ level: 'ok', check, detail });
const bad = (level: 'warn' | 'fail', check: string, detail: string, advice: string): Diagnosis => ({
  level,
  check,
  detail,
  advice,
});

/** Who takes the mail for the domain (RFC 5321 §5.1). */
export function judgeMx(domain: string, hostname: string, mx: DnsAnswer<MxRecord>): Diagnosis {
  const check = `MX of ${domain}`;
  const publish = `Publish: ${domain}. MX 10 ${hostname}.`;
  if (mx.status === 'failed')
    return bad(
      'fail',
      check,
      `no answer (${mx.error})`,
      'Set DNS_SERVERS to a resolver that works.',
    );
  if (mx.status !== 'found') return bad('fail', check, 'there is none', publish);
  const hosts = mx.records.map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, ''));
  if (hosts.includes(hostname)) return ok(check, hosts.join(', '));
  return bad('warn', check, `${hosts.join(', ')}, not ${hostname}`, publish);
}

/** Where the host is. */
export function judgeAddress(
  host: string,
  answers: readonly DnsAnswer<string>[],
): Diagnosis & { readonly addresses: readonly string[] } {
  const check = `addresses of ${host}`;
  const addresses = answers.flatMap((one) => (one.status === 'found' ? one.records : []));
  if (addresses.length > 0) return { ...ok(check, addresses.join(', ')), addresses };
  const failed = answers.find((one) => one.status === 'failed');
  const detail = failed ? `no answer (${failed.error})` : 'there are none';
  const advice = `Publish an A record for ${host}.`;
  return { ...bad('fail', check, detail, advice), addresses };
}

/** The name of an address: some senders mistrust a receiver without one. */
export function judgePtr(address: string, host: string, names: DnsAnswer<string>): Diagnosis {
  const check = `PTR of ${address}`;
  const advice = `Ask whoever gave you the address to name it ${host}.`;
  if (names.status !== 'found')
    return bad('warn', check, names.status === 'failed' ? 'no answer' : 'there is none', advice);
  const found = names.records.map((name) => name.toLowerCase().replace(/\.$/, ''));
  return found.includes(host)
    ? ok(check, found.join(', '))
    : bad('warn', check, found.join(', '), advice);
}

/** A blocklist's own test point (RFC 5782 §5): public resolvers are refused by most lists. */
export function judgeBlocklist(list: string, point: DnsAnswer<string>): Diagnosis {
  const check = `blocklist ${list}`;
  return point.status === 'found'
    ? ok(check, 'its test point answers')
    : bad(
        'warn',
        check,
        'its test point does not answer: it refuses this resolver',
        'Use a resolver of your own (DNS_SERVERS), not a public one.',
      );
}

/** What trying a port gave. */
export type PortState = 'answers' | 'free' | 'denied' | 'unusable';

export function judgePort(name: string, address: string, state: PortState): Diagnosis {
  const check = `${name} port ${address}`;
  if (state === 'answers') return ok(check, 'something listens: the service, if it runs');
  if (state === 'free') return ok(check, 'free');
  const advice =
    state === 'denied'
      ? 'Give the process the right to it, or forward it to a port above 1023.'
      : 'Choose an address of this machine.';
  return bad('fail', check, 'it cannot be opened', advice);
}

/** What a power cut would cost. */
export function judgeSync(sync: 'own' | 'always' | 'delayed' | 'unknown' | 'away'): Diagnosis {
  const check = 'nats-server';
  const advice = 'Set jetstream { sync_interval: always } on every nats-server.';
  if (sync === 'own') return ok(check, 'our own; it syncs every write');
  if (sync === 'always') return ok(check, 'reachable; it syncs every write');
  if (sync === 'away')
    return bad('fail', check, 'it gives no answer', 'See NATS_URL and its credentials.');
  return sync === 'delayed'
    ? bad('fail', check, 'a power cut loses up to 2 minutes of payments', advice)
    : bad(
        'warn',
        check,
        'reachable; whether it syncs cannot be seen',
        `${advice} Set NATS_MONITORING_URL so that it can be seen.`,
      );
}

/** What of a certificate matters here. */
export interface CertificateFacts {
  /** Milliseconds since 1970. */
  readonly validTo: number;
  readonly coversHost: boolean;
}

/** @param now milliseconds since 1970 */
export function judgeTlsCertificate(
  certificate: CertificateFacts | null | 'unreadable',
  hostname: string,
  now: number,
): Diagnosis {
  const check = 'SMTP certificate';
  const renew = 'Renew it, then restart the service.';
  if (certificate === null)
    return bad(
      'warn',
      check,
      'none: a self-signed one is made at start',
      'Set SMTP_TLS_CERT_FILE and SMTP_TLS_KEY_FILE.',
    );
  if (certificate === 'unreadable')
    return bad('fail', check, 'it cannot be read', 'Give a PEM in SMTP_TLS_CERT_FILE.');
  const days = Math.floor((certificate.validTo - now) / DAY_MS);
  if (days < 0) return bad('fail', check, 'it has expired', renew);
  if (!certificate.coversHost)
    return bad('warn', check, `it is not for ${hostname}`, `Get one for ${hostname}.`);
  if (days < RENEW_DAYS) return bad('warn', check, `${days} days are left`, renew);
  return ok(check, `${days} days are left`);
}

/** What the chain says of itself and of the asset. */
export interface AssetFacts {
  readonly network: string;
  readonly name: string;
  readonly version: string;
}

interface AssetSettings {
  readonly network: string;
  readonly assetName: string;
  readonly assetVersion: string;
}

/** The EIP-712 domain: with another name or version no signature fits, and nobody can pay. */
export function judgeAsset(
  found: AssetFacts | null,
  settings: AssetSettings,
): readonly Diagnosis[] {
  if (!found)
    return [
      bad(
        'fail',
        'chain',
        'the RPC gives no answer, or the asset is no such contract',
        'See X402_RPC_URL, X402_NETWORK and X402_ASSET.',
      ),
    ];
  const same = (check: string, is: string, wanted: string, setting: string) =>
    is === wanted
      ? ok(check, is)
      : bad(
          'fail',
          check,
          `it is ${is}, not ${wanted}`,
          `Set ${setting}=${is}, or mend the other settings.`,
        );
  return [
    same('chain', found.network, settings.network, 'X402_NETWORK'),
    same('name of the asset', found.name, settings.assetName, 'X402_ASSET_NAME'),
    same('version of the asset', found.version, settings.assetVersion, 'X402_ASSET_VERSION'),
  ];
}

/** @param settlements that the wallet's ether pays for at today's fees; `null`: not known */
export function judgeFunds(settlements: number | null): Diagnosis {
  const check = 'hot wallet';
  const advice = `Send it ether, enough for ${LOW_FUNDS} settlements or more.`;
  if (settlements === null)
    return bad('fail', check, 'its balance cannot be read', 'See X402_RPC_URL.');
  const detail = `pays for ${settlements} settlements`;
  if (settlements < NO_FUNDS) return bad('fail', check, `${detail}: nothing is sold`, advice);
  return settlements < LOW_FUNDS ? bad('warn', check, detail, advice) : ok(check, detail);
}

/** @param supports whether it serves our kind of payment; `null`: it gives no answer */
export function judgeFacilitator(supports: boolean | null, network: string): Diagnosis {
  const check = 'facilitator';
  if (supports) return ok(check, `settles exact on ${network}`);
  return supports === null
    ? bad('fail', check, 'it gives no answer', 'See X402_FACILITATOR_URL and X402_CDP_KEY_….')
    : bad(
        'fail',
        check,
        `it does not settle exact on ${network}`,
        'Choose another facilitator or network.',
      );
}
