/** Cases of complete emails with various DKIM signatures and keys. */

import { createPublicKey } from 'node:crypto';
import type { Case, Names, State } from '../case.ts';
import { keyRecord, keys, SIGNED, signature } from '../keys.ts';
import { newsletter } from '../mails.ts';
import { KEY, ORIGIN, RIGHT_SPF, spf } from '../zone.ts';

const at = (record: string | string[], name = KEY): Names => ({
  [name]: { TXT: [record].flat() },
});

const rsa = (p: string, more = '') => `v=DKIM1; k=rsa;${more} p=${p}`;
const ED25519 = `v=DKIM1; k=ed25519; p=${keys.ed25519.p}`;

/** Arrival of the emails, at 10:00:05 on that day, in seconds since 1970. */
const ARRIVED = Date.parse('2026-11-20T10:00:05Z') / 1000;

/** States that an email without a passing signature of its own domain also has. */
const unsigned = { dmarc_alignment: 'spf_only', one_click_signed: 'unsigned' } as const;
const broken = { dkim_valid: 'none_valid', ...unsigned } as const;

/** Without a key, nothing can be said about the key. */
const keyless = {
  dkim_key_size: 'left out',
  dkim_key_testing: 'left out',
  dkim_key_record: 'left out',
} as const;

/** A case with a key record with which no signature can be verified. */
const badRecord = (
  about: string,
  record: string | string[],
  states: Readonly<Record<string, State>>,
): Case => ({ about, zone: at(record), states: { dkim_key_record: 'unusable', ...states } });

const second = signature({ s: 's2' });

/** Without a signature, there is none to judge. */
const withoutSignature = {
  dkim_present: 'absent',
  dkim_valid: 'left out',
  dkim_algorithm: 'left out',
  dkim_expired: 'left out',
  dkim_length_tag: 'left out',
  dkim_headers_signed: 'left out',
  dkim_canonicalization: 'left out',
  ...keyless,
  ...unsigned,
} as const;

export const dkimCases: readonly Case[] = [
  {
    about: 'no signature',
    signatures: [],
    states: withoutSignature,
  },
  {
    about: 'no signature, and an SPF record that leaves the sender out',
    signatures: [],
    zone: spf('v=spf1 ip4:192.0.2.1 -all'),
    states: { ...withoutSignature, spf_result: 'fail', dmarc_alignment: 'refused' },
  },
  {
    about: 'a body changed on the way',
    alter: (mail) => mail.replaceAll('winter is near', 'summer is near'),
    states: broken,
  },
  {
    about: 'a subject changed on the way',
    alter: (mail) => mail.replace('Five new', 'Six new'),
    states: broken,
  },
  {
    about: 'a footer that was added after signing',
    alter: (mail) => `${mail}--\r\nScanned by our gateway.\r\n`,
    states: broken,
  },
  {
    about: 'a tag that a gateway put into the subject',
    alter: (mail) => mail.replace('Subject: Five', 'Subject: [NEWS] Five'),
    states: broken,
  },
  { about: 'no key', zone: { [KEY]: null }, states: { ...broken, ...keyless } },
  {
    about: 'a key at a name that has the domain twice',
    zone: { [KEY]: null, ...at(keyRecord, `${KEY}.example.com`) },
    states: { ...broken, ...keyless },
  },
  {
    about: 'a second signature of the domain whose key is not there',
    signatures: [signature(), second],
    states: { dkim_valid: 'own_invalid' },
  },
  {
    about: 'RSA with 512 bits',
    signatures: [signature({ key: keys.rsa512.key })],
    zone: at(rsa(keys.rsa512.p)),
    states: { dkim_key_size: 'too_short', ...broken },
  },
  {
    about: 'RSA with 1024 bits',
    signatures: [signature({ key: keys.rsa1024.key })],
    zone: at(rsa(keys.rsa1024.p)),
    states: { dkim_key_size: 'short' },
  },
  {
    about: 'Ed25519 alone',
    signatures: [signature({ key: keys.ed25519.key, a: 'ed25519-sha256' })],
    zone: at(ED25519),
    states: { dkim_algorithm: 'ed25519_only', dmarc_alignment: 'spf_only' },
  },
  {
    about: 'SHA-1 alone',
    signatures: [signature({ a: 'rsa-sha1' })],
    states: { dkim_algorithm: 'sha1_only', ...broken },
  },
  {
    about: 'SHA-1 beside SHA-256',
    signatures: [signature({ a: 'rsa-sha1', s: 's2' }), signature()],
    zone: at(keyRecord, 's2._domainkey.example.com'),
    states: { dkim_valid: 'own_invalid' },
  },
  {
    about: 'x= in the past',
    signatures: [signature({ tags: { t: ARRIVED - 9000, x: ARRIVED - 60 } })],
    states: { dkim_expired: 'expired', ...broken },
  },
  {
    about: 'i= of another domain',
    signatures: [signature({ tags: { i: '@example.org' } })],
    states: broken,
  },
  {
    about: 't=s in the key, and i= at a name below',
    signatures: [signature({ tags: { i: '@mail.example.com' } })],
    zone: at(rsa(keys.rsa2048.p, ' t=s;')),
    states: { ...broken, dkim_key_record: 'unusable' },
  },
  {
    about: 't= ten minutes ahead',
    signatures: [signature({ tags: { t: ARRIVED + 600 } })],
    states: { dkim_expired: 'expired' },
  },
  {
    about: 'half an hour to live',
    signatures: [signature({ tags: { t: ARRIVED, x: ARRIVED + 1800 } })],
    states: { dkim_expired: 'short_lived' },
  },
  {
    about: 'l= and a body that goes on',
    signatures: [signature({ length: 400 })],
    states: { dkim_length_tag: 'unsigned_tail' },
  },
  {
    about: 'l= of the whole body',
    signatures: [signature({ length: 'all' })],
    states: { dkim_length_tag: 'used' },
  },
  {
    about: 'From not signed',
    signatures: [signature({ h: SIGNED.filter((name) => name !== 'from') })],
    states: { dkim_headers_signed: 'from_unsigned', ...broken },
  },
  {
    about: 'Subject not signed',
    signatures: [signature({ h: SIGNED.filter((name) => name !== 'subject') })],
    states: { dkim_headers_signed: 'incomplete' },
  },
  {
    about: 't=y in the key',
    zone: at(rsa(keys.rsa2048.p, ' t=y;')),
    states: { dkim_key_testing: 'testing' },
  },
  badRecord('a revoked key', 'v=DKIM1; p=', { ...broken, dkim_key_size: 'left out' }),
  badRecord('a key that is no base64', rsa('not!base64'), {
    ...broken,
    dkim_key_size: 'left out',
  }),
  badRecord('a key that is cut off', rsa(keys.rsa2048.p.slice(0, 200)), {
    ...broken,
    dkim_key_size: 'left out',
  }),
  badRecord('one key in two records', [keyRecord.slice(0, 250), keyRecord.slice(250)], {
    ...broken,
    dkim_key_size: 'left out',
  }),
  badRecord('an unknown k=', `v=DKIM1; k=dsa; p=${keys.rsa2048.p}`, broken),
  badRecord('h= without sha256', rsa(keys.rsa2048.p, ' h=sha1;'), broken),
  badRecord('s= for something else', rsa(keys.rsa2048.p, ' s=tlsrpt;'), broken),
  badRecord('two records, the right one first', [keyRecord, rsa(keys.rsa1024.p)], {}),
  {
    about: 'four CNAMEs before the key',
    zone: {
      [KEY]: { CNAME: 'c1.example.com' },
      'c1.example.com': { CNAME: 'c2.example.com' },
      'c2.example.com': { CNAME: 'c3.example.com' },
      'c3.example.com': { CNAME: 'c4.example.com' },
      ...at(keyRecord, 'c4.example.com'),
    },
    states: { dkim_key_record: 'doubtful' },
  },
  {
    about: 'two keys at the selector, of which the second made the signature',
    zone: at([rsa(keys.rsa1024.p), keyRecord]),
    states: { ...broken, dkim_key_record: 'unusable' },
  },
  {
    about: 'the key at the selector of the domain above',
    mail: newsletter({ From: 'Example Shop <news@shop.example.com>' }),
    signatures: [signature({ d: 'shop.example.com' })],
    zone: { 'shop.example.com': { A: ['192.0.2.80'], MX: ['10 mail.example.com'] } },
    states: {
      ...{ ...broken, ...keyless, dmarc_inherited: 'inherited' },
      ...{ mta_sts: 'absent', tls_rpt: 'absent' },
    },
  },
  {
    about: 'a selector that holds _domainkey',
    signatures: [signature({ s: 's1._domainkey' })],
    states: { ...broken, ...keyless },
  },
  {
    about: 'a header that a relay added, and that was signed as absent',
    signatures: [signature({ h: [...SIGNED, 'cc'] })],
    alter: (mail) => `Cc: two@example.net\r\n${mail}`,
    states: broken,
  },
  {
    about: 'a second signature of the domain with another key than the published one',
    signatures: [signature(), signature({ s: 's2', key: keys.rsa1024.key })],
    zone: at(keyRecord, 's2._domainkey.example.com'),
    states: { dkim_valid: 'own_invalid' },
  },
  {
    about: 'a second signature with the same selector and another key',
    signatures: [signature(), signature({ key: keys.rsa1024.key })],
    states: { dkim_valid: 'own_invalid' },
  },
  {
    about: 'two Ed25519 signatures with one selector, and another key for one of them',
    signatures: [
      signature({ s: 's2' }),
      signature({ key: keys.ed25519.key, a: 'ed25519-sha256' }),
      signature({ key: keys.otherEd25519.key, a: 'ed25519-sha256' }),
    ],
    zone: { ...at(ED25519), ...at(keyRecord, 's2._domainkey.example.com') },
    states: { dkim_valid: 'own_invalid' },
  },
  {
    about: 'another key than the published one',
    signatures: [signature({ key: keys.rsa1024.key })],
    states: broken,
  },
  {
    about: 'an RSA and an Ed25519 key for two signatures at one selector',
    signatures: [signature({ key: keys.ed25519.key, a: 'ed25519-sha256' }), signature()],
    zone: at([keyRecord, ED25519]),
    states: { dkim_valid: 'own_invalid', dkim_key_record: 'unusable' },
  },
  {
    about: 'an Ed25519 and an RSA key for two signatures at one selector',
    signatures: [signature({ key: keys.ed25519.key, a: 'ed25519-sha256' }), signature()],
    zone: at([ED25519, keyRecord]),
    states: {
      ...{ dkim_valid: 'own_invalid', dkim_key_record: 'unusable' },
      ...{ dkim_algorithm: 'ed25519_only', dmarc_alignment: 'spf_only' },
    },
  },
  {
    about: 'a key behind a CNAME whose target has the domain appended',
    zone: {
      [KEY]: { CNAME: 's1.domainkey.u1.wl.sendgrid.net.example.com' },
      ...at(keyRecord, 's1.domainkey.u1.wl.sendgrid.net'),
    },
    states: { ...broken, ...keyless },
  },
  {
    about: 'the name of the key as a text instead of a CNAME',
    zone: {
      [KEY]: { TXT: ['key.provider.example'] },
      ...at(keyRecord, 'key.provider.example'),
    },
    states: { ...broken, dkim_key_record: 'unusable', dkim_key_size: 'left out' },
  },
  {
    about: 'a wildcard that revokes all keys, and no key at the name',
    zone: { [KEY]: null, ...at('v=DKIM1; p=', '*._domainkey.example.com') },
    states: { ...broken, dkim_key_record: 'unusable', dkim_key_size: 'left out' },
  },
  {
    about: 'a wildcard with the key of another selector, and no key at the name',
    zone: { [KEY]: null, ...at(rsa(keys.rsa1024.p), '*._domainkey.example.com') },
    states: { ...broken, dkim_key_size: 'short' },
  },
  {
    about: 'an IP address as the target of the CNAME at the name of the key',
    zone: { [KEY]: { CNAME: '192.0.2.80' } },
    states: { ...broken, ...keyless },
  },
  {
    about: 'a key beside a CNAME that hides it',
    zone: { [KEY]: { CNAME: 'old.provider.example', TXT: [keyRecord] } },
    states: { ...broken, ...keyless },
  },
  {
    about: 'two keys, of which the one that verifies has a fault that verifiers may forgive',
    zone: at([keyRecord.replaceAll(';', ';;'), rsa(keys.rsa1024.p)]),
    states: { ...broken, dkim_key_record: 'unusable' },
  },
  {
    about: 'no key, and a wildcard that leads its name to the domain',
    zone: { [KEY]: null, '*.example.com': { CNAME: 'example.com' } },
    states: { ...broken, dkim_key_record: 'unusable', dkim_key_size: 'left out' },
  },
  {
    about: 'the domain appended to the target of the CNAME, and a wildcard for the result',
    zone: {
      [KEY]: { CNAME: 's1.domainkey.u1.wl.sendgrid.net.example.com' },
      ...at(keyRecord, 's1.domainkey.u1.wl.sendgrid.net'),
      '*.example.com': { TXT: ['v=spf1 -all'] },
    },
    states: { ...broken, dkim_key_record: 'unusable', dkim_key_size: 'left out' },
  },
  {
    about: 'a key at the domain itself, to which its name leads',
    zone: {
      [KEY]: { CNAME: 'example.com' },
      'example.com': { ...ORIGIN, TXT: [RIGHT_SPF, keyRecord] },
    },
    states: { ...broken, dkim_key_record: 'unusable' },
  },
  {
    about: 'an RSA key without the structure around it',
    zone: at(
      rsa(
        createPublicKey(keys.rsa2048.key)
          .export({ type: 'pkcs1', format: 'der' })
          .toString('base64'),
      ),
    ),
    states: { dkim_key_record: 'doubtful' },
  },
  {
    about: 'a g= tag left over',
    zone: at(rsa(keys.rsa2048.p, ' g=shop;')),
    states: { dkim_key_record: 'doubtful' },
  },
  {
    about: 'simple header canonicalization',
    signatures: [signature({ c: 'simple' })],
    states: { dkim_canonicalization: 'simple' },
  },
];
