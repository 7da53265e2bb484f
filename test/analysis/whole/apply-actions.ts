/** Carries out the steps of a fix on an email and its DNS zone, by their data alone. */

import type { Action } from '../../../src/domain/report/action.ts';
import type { ZoneRecords } from '../../environment/dns-zone.ts';
import { ARRIVAL } from '../../support/mail/inspection-environment.ts';
import { keyRecord, keys, recordOf, signature } from './keys.ts';
import { type Draft, newsletter } from './mails.ts';
import { publish, recordsAt, type Situation } from './publish.ts';
import type { Signature } from './sign.ts';
import { policy, RIGHT_SPF, zoneWith } from './zone.ts';

/** The selector at which the sender's mail system publishes the key that it makes. */
export const NEW_SELECTOR = 's9';

/** Returns the strings of a record as one text. */
export const textOf = (record: string | readonly string[]): string => [record].flat().join('');

/** Changes the DNS as a step says: removes what it replaces, and adds what it publishes. */
function changeDns(one: Situation, { operation, name, type, value, replaces }: Action): Situation {
  if (name === null || type === null) return one;
  if (type === 'CNAME') {
    const { CNAME: _, ...beside } = (zoneWith(one.zone)[name] ?? {}) as ZoneRecords;
    const gone = Object.keys(beside).length > 0 ? beside : null;
    const held = value === null ? gone : { CNAME: value.replace(/\.$/, '') };
    return { ...one, zone: { ...one.zone, [name]: held } };
  }
  const key = type as keyof ZoneRecords;
  const held = (recordsAt(one, name)[key] ?? []) as readonly (string | readonly string[])[];
  // A record that already exists is not published twice.
  const gone = [...replaces, value];
  const kept = held.filter((record) => !gone.includes(textOf(record)));
  const records = operation === 'delete' || value === null ? kept : [...kept, value];
  return publish(one, name, { [key]: records } as ZoneRecords);
}

const signaturesOf = ({ signatures = [signature()] }: Situation) => signatures;

const resign = (one: Situation, change: (signed: Signature) => Signature): Situation => ({
  ...one,
  signatures: signaturesOf(one).map(change),
});

const sign = (names: readonly string[]) => (signed: Signature) => ({
  ...signed,
  h: [...signed.h, ...names.map((name) => name.toLowerCase())],
});

const without = (tag: string) => (signed: Signature) => ({
  ...signed,
  tags: Object.fromEntries(Object.entries(signed.tags).filter(([name]) => name !== tag)),
});

/** Signs for a domain with a key of that domain, like a mail system that is told to. */
const signAs = (one: Situation, d: string): Situation =>
  publish(
    { ...one, signatures: [signature({ s: NEW_SELECTOR, d })] },
    `${NEW_SELECTOR}._domainkey.${d}`,
    { TXT: [keyRecord] },
  );

/** Signs with a good key at a selector of its own. */
function withNewKey(one: Situation): Situation {
  const signed = resign(one, (old) => ({
    ...old,
    key: keys.rsa2048.key,
    s: NEW_SELECTOR,
    a: 'rsa-sha256',
  }));
  return signaturesOf(signed).reduce(
    (now, { d }) => publish(now, `${NEW_SELECTOR}._domainkey.${d}`, { TXT: [keyRecord] }),
    signed,
  );
}

/**
 * Gives each key a selector of its own: the one at which its record is the only one, or otherwise the present
 * one if its record is there, or a new one.
 */
function withOwnSelectors(one: Situation): Situation {
  const textsAt = (s: string, d: string) =>
    ((recordsAt(one, `${s}._domainkey.${d}`).TXT ?? []) as readonly string[]).map(textOf);
  const selectors = Object.keys(zoneWith(one.zone)).flatMap(
    (name) => /^(.+)\._domainkey\./.exec(name)?.[1] ?? [],
  );
  const signed = resign(one, (old) => {
    const { s, d } = old;
    const record = recordOf(old.key);
    const alone = [s, ...selectors].find((at) => textsAt(at, d).join() === record);
    return { ...old, s: alone ?? (textsAt(s, d).includes(record) ? s : NEW_SELECTOR) };
  });
  const moved = signaturesOf(signed).find(({ s }) => s === NEW_SELECTOR);
  return moved
    ? publish(signed, `${NEW_SELECTOR}._domainkey.${moved.d}`, { TXT: [recordOf(moved.key)] })
    : signed;
}

type Set = (one: Situation, value: string) => Situation;

const withTls = (one: Situation, version: string): Situation => ({
  ...one,
  client: { ...one.client, tls: { status: 'tls', version, cipher: null } },
});

/** The effect of each server setting on the emails that the server sends. */
const SETTINGS: Readonly<Record<string, Set>> = {
  helo: (one, helo) => ({ ...one, client: { ...one.client, helo } }),
  envelope_domain: (one, domain) => ({
    ...one,
    from: { localPart: 'bounce', domain, smtputf8: false },
  }),
  // The return path is a name under the domain, so that the record of the domain stays as it is.
  return_path: (one, domain) => {
    const name = `bounce.${domain}`;
    const from = { localPart: 'bounce', domain: name, smtputf8: false };
    return publish({ ...one, from }, name, { MX: ['10 mail.example.com'], TXT: [RIGHT_SPF] });
  },
  'dkim.d': signAs,
  'dkim.s': (one, s) => resign(one, (signed) => ({ ...signed, s })),
  'dkim.a': (one, a) =>
    resign(one, (signed) =>
      a.startsWith(signed.key.asymmetricKeyType ?? '')
        ? { ...signed, a: a as Signature['a'] }
        : signed,
    ),
  'dkim.c': (one, c) =>
    resign(one, (signed) => ({ ...signed, c: c.split('/')[0] as Signature['c'] })),
  'dkim.i': (one) => resign(one, without('i')),
  'dkim.x': (one) => resign(one, without('x')),
  'dkim.t': (one) => resign(one, without('t')),
  'dkim.l': (one) => resign(one, ({ length: _, ...signed }) => signed),
  'dkim.h': (one, names) => resign(one, sign(names.split(', '))),
  'tls.outbound': (one) => withTls(one, 'TLSv1.3'),
  'tls.protocols': (one) => withTls(one, 'TLSv1.2'),
};

export const draftOf = ({ mail = newsletter() }: Situation): Draft => mail;

const withField = (one: Situation, name: string, value: string | null): Situation => {
  const mail = draftOf(one);
  return { ...one, mail: { ...mail, fields: { ...mail.fields, [name]: value } } };
};

const withBody = (one: Situation, change: (body: string) => string): Situation => {
  const mail = draftOf(one);
  return { ...one, mail: { ...mail, body: change(mail.body) } };
};

const changeContent = (one: Situation, { value, replaces }: Action): Situation =>
  withBody(one, (body) => replaces.reduce((left, old) => left.replaceAll(old, value ?? ''), body));

/** The action of a sender whom a fix asks for something that only they have, by the kind of thing. */
const SUPPLIED: Readonly<Record<string, (one: Situation) => Situation>> = {
  'List-Unsubscribe': (one) =>
    withField(
      one,
      'List-Unsubscribe',
      '<https://www.example.com/u/1>, <mailto:u@example.com?subject=1>',
    ),
  Received: (one) => withField(one, 'Received', null),
  Date: (one) => withField(one, 'Date', new Date(ARRIVAL).toUTCString().replace('GMT', '+0000')),
  'Message-ID': (one) => withField(one, 'Message-ID', '<new1@example.com>'),
  // Emails to a name that accepts any email are now read.
  mailbox: (one) => ({ ...one }),
  'dkim.key': withNewKey,
  'dkim.s': withOwnSelectors,
  'dkim.order': ({ alter: _, ...one }) => one,
  'dkim.tags': ({ alter: _, ...one }) => one,
  alt: (one) => withBody(one, (body) => body.replace(/<img (?![^>]*\balt=)/g, '<img alt="" ')),
};

function changeServer(one: Situation, { operation, name, value }: Action): Situation {
  if (operation === 'publish') {
    const { host, pathname } = new URL(name ?? '');
    const lines = (value ?? '').trim().split('\n').slice(1);
    const served = publish(one, host, { A: ['192.0.2.81'] });
    return { ...served, web: { ...served.web, [`${host}${pathname}`]: policy(...lines) } };
  }
  // The step "add dkim.a" adds a second signature to the existing one.
  if (operation === 'add' && name === 'dkim.a')
    return publish(
      { ...one, signatures: [...signaturesOf(one), signature({ s: NEW_SELECTOR })] },
      `${NEW_SELECTOR}._domainkey.example.com`,
      { TXT: [keyRecord] },
    );
  return SETTINGS[name ?? '']?.(one, value ?? '') ?? one;
}

/** Publishes the record that the signer shows for its key. */
function publishKey(one: Situation, { name }: Action): Situation {
  const all = signaturesOf(one);
  const signed = all.find(({ s, d }) => name === `${s}._domainkey.${d}`) ?? all[0];
  return signed && name ? publish(one, name, { TXT: [recordOf(signed.key)] }) : one;
}

function applyStep(one: Situation, step: Action): Situation {
  const { kind, operation, name, value } = step;
  if (operation === 'do' && kind === 'dns') return publishKey(one, step);
  if (operation === 'do') return SUPPLIED[name ?? '']?.(one) ?? one;
  if (kind === 'dns') return changeDns(one, step);
  if (kind === 'content') return changeContent(one, step);
  return kind === 'header' ? withField(one, name ?? '', value) : changeServer(one, step);
}

/**
 * Carries out the steps of a fix by their data alone. Returns the same object if all steps are for a person.
 */
export const applyActions = (one: Situation, actions: readonly Action[]): Situation =>
  actions.reduce(applyStep, one);
