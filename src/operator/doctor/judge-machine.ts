import { bad, type Diagnosis, ok } from './diagnosis.ts';

/** Days of validity left from which on a certificate should be renewed. */
const RENEW_DAYS = 14;
const DAY_MS = 86_400_000;

/** How far off a clock may be, in seconds: timers and payments then go wrong; NTP keeps it far below. */
const MAX_OFF_SECONDS = 5;

const GIB = 2 ** 30;

/** What trying a port gave. */
export type PortState = 'answers' | 'free' | 'denied' | 'unusable';

export function judgePort(name: string, address: string, state: PortState): Diagnosis {
  const check = `${name} port ${address}`;
  if (state === 'answers') return ok(check, 'something listens there: the service, if it runs');
  if (state === 'free') return ok(check, 'free');
  const advice =
    state === 'denied'
      ? 'Let the process bind it (CAP_NET_BIND_SERVICE), or forward it to a port above 1023.'
      : 'Set it to an address of this machine.';
  return bad('fail', check, 'it cannot be opened', advice);
}

/**
 * Port 25 of the host's public address, as far as it can be seen without anybody else's help.
 *
 * @param greeting what it sends first; `null`: nothing answers
 * @param isOwn the address is one of this machine: what is sent there never leaves it
 */
export function judgeGreeting(
  address: string,
  hostname: string,
  greeting: string | null,
  isOwn: boolean,
): Diagnosis {
  const check = `port 25 of ${address}`;
  const probe = `nc -v ${hostname} 25`;
  if (greeting === null)
    return bad(
      'warn',
      check,
      'nothing answers from here; some networks do not let you reach yourself',
      `Run "${probe}" in another network. If that fails, open port 25 and forward it to SMTP_PORT.`,
    );
  if (greeting.startsWith(`220 ${hostname} `))
    return ok(
      check,
      isOwn
        ? `the service greets; what is in front of this machine is not seen from here, but by "${probe}" in another network`
        : 'the service greets through the router in front of this machine',
    );
  return bad('warn', check, 'another server greets', 'Forward port 25 of it to SMTP_PORT.');
}

/** @param offSeconds this clock less another one; `null`: no other clock to compare with */
export function judgeClock(offSeconds: number | null): Diagnosis {
  const check = 'clock';
  const sync = 'Keep the clock with NTP (chrony or systemd-timesyncd).';
  if (offSeconds === null) return bad('warn', check, 'there is no answer to compare it with', sync);
  const seconds = Math.abs(Math.round(offSeconds));
  if (seconds <= MAX_OFF_SECONDS) return ok(check, `within ${MAX_OFF_SECONDS} s of the node's`);
  return bad(
    'fail',
    check,
    `${seconds} s ${offSeconds > 0 ? 'ahead of' : 'behind'} the node's`,
    sync,
  );
}

/** The disk of the service's own nats-server. */
export function judgeDisk(freeBytes: number | null, neededBytes: number): Diagnosis {
  const check = 'disk of DATA_DIR';
  const format = (bytes: number) => `${(bytes / GIB).toFixed(1)} GiB`;
  const advice = 'Free space, use a larger disk, or lower REPORTS_MAX_BYTES.';
  if (freeBytes === null)
    return bad('fail', check, 'it cannot be read', 'Set DATA_DIR to a folder of this user.');
  const detail = `${format(freeBytes)} are free; full streams take ${format(neededBytes)}`;
  return freeBytes < neededBytes ? bad('warn', check, detail, advice) : ok(check, detail);
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
  const renew = 'Renew it: the service sees new files within a minute.';
  if (certificate === null)
    return bad(
      'warn',
      check,
      'no certificate is set: a self-signed one is made at start',
      'Set SMTP_TLS_CERT_FILE and SMTP_TLS_KEY_FILE.',
    );
  if (certificate === 'unreadable')
    return bad('fail', check, 'it cannot be read', 'Name a PEM file in SMTP_TLS_CERT_FILE.');
  const days = Math.floor((certificate.validTo - now) / DAY_MS);
  if (days < 0) return bad('fail', check, 'it has expired', renew);
  if (!certificate.coversHost)
    return bad('warn', check, `it is not for ${hostname}`, `Get one for ${hostname}.`);
  if (days < RENEW_DAYS) return bad('warn', check, `it is valid for ${days} more days`, renew);
  return ok(check, `it is valid for ${days} more days`);
}
