import { bad, type Diagnosis, ok } from './diagnosis.ts';

const GIB = 2 ** 30;

/** What a power cut would cost. */
export function judgeSync(sync: 'own' | 'always' | 'delayed' | 'unknown' | 'away'): Diagnosis {
  const check = 'nats-server';
  const advice = 'Set jetstream { sync_interval: always } on every nats-server.';
  if (sync === 'own') return ok(check, 'the service runs its own, which syncs every write');
  if (sync === 'always') return ok(check, 'it answers and syncs every write');
  if (sync === 'away')
    return bad(
      'fail',
      check,
      'it does not answer, or refuses the credentials',
      'Check NATS_URL, NATS_USER and the files of its credentials.',
    );
  return sync === 'delayed'
    ? bad('fail', check, 'a power cut loses up to 2 minutes of payments', advice)
    : bad(
        'warn',
        check,
        'it answers; whether it syncs cannot be seen',
        `${advice} Set NATS_MONITORING_URL, so that the doctor can see it.`,
      );
}

/** @param limitBytes what the account may store, -1: no limit; `null`: not known */
export function judgeStore(limitBytes: number | null, neededBytes: number): Diagnosis {
  const check = 'store of nats-server';
  const needed = `full streams and buckets take ${(neededBytes / GIB).toFixed(1)} GiB`;
  if (limitBytes === null)
    return bad('warn', check, 'its limit cannot be read', 'Check that JetStream is on.');
  if (limitBytes === -1) return ok(check, `the account has no limit; ${needed}`);
  const detail = `the account may store ${(limitBytes / GIB).toFixed(1)} GiB; ${needed}`;
  return limitBytes < neededBytes
    ? bad('fail', check, detail, 'Raise the limit of the account, or lower REPORTS_MAX_BYTES.')
    : ok(check, detail);
}
