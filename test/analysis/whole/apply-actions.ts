import type { Action } from '../../../src/domain/report/action.ts';
import type { ZoneRecords } from '../../environment/dns-zone.ts';
import { keyRecord, keys, signature } from './keys.ts';
import { publish, recordsAt, reverseName, type Situation } from './publish.ts';
import type { Signature } from './sign.ts';
import { policy, RIGHT_SPF } from './zone.ts';

/** Where the sender's mail system puts the key that it makes. */
export const NEW_SELECTOR = 's9';

const textOf = (record: string | readonly string[]) => [record].flat().join('');

/** Changes DNS as a step says: what it replaces goes, what it publishes comes. */
function changeDns(one: Situation, { operation, name, type, value, replaces }: Action): Situation {
  if (name === null || type === null) return one;
  const at = type === 'PTR' && !name.endsWith('.arpa') ? reverseName(name) : name;
  if (type === 'CNAME') return { ...one, zone: { ...one.zone, [at]: {} } } as Situation;
  const key = type as keyof ZoneRecords;
  const held = (recordsAt(one, at)[key] ?? []) as readonly (string | readonly string[])[];
  // What is there already is not published twice.
  const gone = [...replaces, value];
  const kept = held.filter((record) => !gone.includes(textOf(record)));
  const records = operation === 'delete' || value === null ? kept : [...kept, value];
  return publish(one, at, { [key]: records } as ZoneRecords);
}

const signaturesOf = ({ signatures = [signature()] }: Situation) => signatures;

export const resign = (one: Situation, change: (signed: Signature) => Signature): Situation => ({
  ...one,
  signatures: signaturesOf(one).map(change),
});

export const sign = (names: readonly string[]) => (signed: Signature) => ({
  ...signed,
  h: [...signed.h, ...names.map((name) => name.toLowerCase())],
});

const without = (tag: string) => (signed: Signature) => ({
  ...signed,
  tags: Object.fromEntries(Object.entries(signed.tags).filter(([name]) => name !== tag)),
});

/** Signs with a key of its own for that domain, as a mail system does that is told to. */
const signAs = (one: Situation, d: string): Situation =>
  publish(
    { ...one, signatures: [signature({ s: NEW_SELECTOR, d })] },
    `${NEW_SELECTOR}._domainkey.${d}`,
    { TXT: [keyRecord] },
  );

/** Signs with a good key at a selector of its own. */
export const withNewKey = (one: Situation): Situation =>
  publish(
    resign(one, (signed) => ({
      ...signed,
      key: keys.rsa2048.key,
      s: NEW_SELECTOR,
      a: 'rsa-sha256',
    })),
    `${NEW_SELECTOR}._domainkey.example.com`,
    { TXT: [keyRecord] },
  );

type Set = (one: Situation, value: string) => Situation;

/** What each setting of a server does to the mails that it sends. */
const SETTINGS: Readonly<Record<string, Set>> = {
  helo: (one, helo) => ({ ...one, client: { ...one.client, helo } }),
  envelope_domain: (one, domain) => ({
    ...one,
    from: { localPart: 'bounce', domain, smtputf8: false },
  }),
  return_path: (one, domain) =>
    publish({ ...one, from: { localPart: 'bounce', domain, smtputf8: false } }, domain, {
      TXT: [RIGHT_SPF],
    }),
  'dkim.d': signAs,
  'dkim.a': (one, a) => resign(one, (signed) => ({ ...signed, a: a as Signature['a'] })),
  'dkim.c': (one, c) =>
    resign(one, (signed) => ({ ...signed, c: c.split('/')[0] as Signature['c'] })),
  'dkim.i': (one) => resign(one, without('i')),
  'dkim.x': (one) => resign(one, without('x')),
  'dkim.t': (one) => resign(one, without('t')),
  'dkim.l': (one) => resign(one, ({ length: _, ...signed }) => signed),
  'dkim.h': (one, names) => resign(one, sign(names.split(', '))),
};

function changeServer(one: Situation, { operation, name, value }: Action): Situation {
  if (operation === 'publish') {
    const { host, pathname } = new URL(name ?? '');
    const lines = (value ?? '').trim().split('\n').slice(1);
    const served = publish(one, host, { A: ['192.0.2.81'] });
    return { ...served, web: { ...served.web, [`${host}${pathname}`]: policy(...lines) } };
  }
  return SETTINGS[name ?? '']?.(one, value ?? '') ?? one;
}

/** Whether a step says by itself what to do; what it says in words alone is for a person. */
const isDone = ({ operation }: Action): boolean => operation !== 'do';

/** Does what the steps of a fix say, by their data alone; the same object: they are words. */
export const applyActions = (one: Situation, actions: readonly Action[]): Situation =>
  actions
    .filter(isDone)
    .reduce(
      (after, step) => (step.kind === 'dns' ? changeDns(after, step) : changeServer(after, step)),
      one,
    );
