/**
 * Judges the machine that the service runs on: port 25, clock, disk, certificate, and the storage of the log.
 */

import { type Diagnosis, examined } from './diagnosis.ts';

/** Number of remaining days below which a certificate should be renewed. */
const RENEW_DAYS = 14;
const DAY_MS = 86_400_000;

/**
 * Largest tolerated error of the clock, in seconds. Beyond that, timers and payments go wrong. NTP keeps the
 * error far smaller.
 */
const MAX_OFF_SECONDS = 5;

const toGib = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GiB`;

/**
 * Judges port 25 of the host's public address, as far as that is possible from this machine alone.
 *
 * @param greeting the first line that the port sends; `null` if nothing answers
 * @param isOwn true if the address belongs to this machine, so that connections to it never leave the machine
 * @param isBehindServer true if a mail server in front of the service passes emails on to it
 */
export function judgeGreeting(
  address: string,
  hostname: string,
  greeting: string | null,
  isOwn: boolean,
  isBehindServer = false,
): Diagnosis {
  const { ok, warn } = examined(`port 25 of ${address}`);
  const probe = `"nc -v ${hostname} 25" in another network`;
  if (greeting === null)
    return warn(
      'nothing answers from here, but some networks do not let a machine reach itself',
      `Run ${probe}. If that fails, open port 25 and forward it to SMTP_PORT.`,
    );
  const isOurs = greeting.startsWith(`220 ${hostname} `);
  if (!isOurs && isBehindServer && greeting.startsWith('220 '))
    return ok('another mail server answers there, and must pass emails on to the service');
  if (!isOurs) return warn('another server answers there', 'Forward its port 25 to SMTP_PORT.');
  return isOwn
    ? ok(`the service greets this machine; to test what is in front of it, run ${probe}`)
    : ok('the service greets through the router in front of this machine');
}

/** @param offSeconds this clock minus another one; `null` if there is no other clock to compare with */
export function judgeClock(offSeconds: number | null): Diagnosis {
  const { ok, warn, fail } = examined('clock');
  const sync = 'Keep the clock right with NTP (chrony or systemd-timesyncd).';
  if (offSeconds === null)
    return warn('the node did not say what time it is, so the clock could not be compared', sync);
  const seconds = Math.abs(Math.round(offSeconds));
  if (seconds <= MAX_OFF_SECONDS) return ok(`within ${MAX_OFF_SECONDS} s of the node's`);
  return fail(`${seconds} s ${offSeconds > 0 ? 'ahead of' : 'behind'} the node's`, sync);
}

/** Judges whether the disk of the service's own nats-server is large enough. */
export function judgeDisk(freeBytes: number | null, neededBytes: number): Diagnosis {
  const { ok, warn, fail } = examined('disk of DATA_DIR');
  if (freeBytes === null)
    return fail('it cannot be read', 'Set DATA_DIR to a folder that belongs to this user.');
  const detail = `${toGib(freeBytes)} is free; full streams need ${toGib(neededBytes)}`;
  return freeBytes < neededBytes
    ? warn(detail, 'Free space, use a larger disk, or lower REPORTS_MAX_BYTES.')
    : ok(detail);
}

/** The facts about a certificate that the doctor judges. */
export interface CertificateFacts {
  /** Time at which the certificate expires, in milliseconds since 1970. */
  readonly validTo: number;
  readonly coversHost: boolean;
}

/** @param now milliseconds since 1970 */
export function judgeTlsCertificate(
  certificate: CertificateFacts | null | 'unreadable',
  hostname: string,
  now: number,
): Diagnosis {
  const { ok, warn, fail } = examined('SMTP certificate');
  const renew = 'Renew it: the service sees new files within a minute.';
  if (certificate === null)
    return warn(
      'no certificate is set: a self-signed one is made at start',
      'Set SMTP_TLS_CERT_FILE and SMTP_TLS_KEY_FILE.',
    );
  if (certificate === 'unreadable')
    return fail('it cannot be read', 'Name a PEM file in SMTP_TLS_CERT_FILE.');
  const days = Math.floor((certificate.validTo - now) / DAY_MS);
  if (days < 0) return fail('it has expired', renew);
  if (!certificate.coversHost) return warn(`it is not for ${hostname}`, `Get one for ${hostname}.`);
  const left = `it is valid for ${days} more days`;
  return days < RENEW_DAYS ? warn(left, renew) : ok(left);
}

/** Judges whether nats-server can be reached, and what a power cut would cost. */
export function judgeSync(sync: 'own' | 'always' | 'delayed' | 'unknown' | 'away'): Diagnosis {
  const { ok, warn, fail } = examined('nats-server');
  const advice = 'Set jetstream { sync_interval: always } on every nats-server.';
  const seeing = `${advice} Open its monitoring port 8222 to this machine, so that this can be checked.`;
  const credentials = 'Check NATS_URL, NATS_USER and the credential files.';
  switch (sync) {
    case 'own':
      return ok('the service runs its own, which syncs every write');
    case 'always':
      return ok('it answers and syncs every write');
    case 'delayed':
      return fail('a power cut can lose up to 2 minutes of payments', advice);
    case 'unknown':
      return warn('it answers, but it could not be checked whether it syncs every write', seeing);
    case 'away':
      return fail('it does not answer, or refuses the credentials', credentials);
  }
}

/** @param limitBytes what the account may store; -1 for no limit, `null` if unknown */
export function judgeStore(limitBytes: number | null, neededBytes: number): Diagnosis {
  const { ok, warn, fail } = examined('store of nats-server');
  const needed = `full streams and buckets need ${toGib(neededBytes)}`;
  if (limitBytes === null) return warn('its limit cannot be read', 'Check that JetStream is on.');
  if (limitBytes === -1) return ok(`the account has no limit; ${needed}`);
  const detail = `the account may store ${toGib(limitBytes)}; ${needed}`;
  return limitBytes < neededBytes
    ? fail(detail, 'Raise the limit of the account, or lower REPORTS_MAX_BYTES.')
    : ok(detail);
}
