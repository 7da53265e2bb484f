/**
 * Lists setups with faults of DKIM: in key records, the names at which they are published, signatures, and
 * changes after signing.
 */

import { keyRecord, keys, recordOf, SIGNED, signature } from '../../analysis/whole/keys.ts';
import { newsletter } from '../../analysis/whole/mails.ts';
import type { Signature } from '../../analysis/whole/sign.ts';
import { ARRIVAL } from '../../support/mail/inspection-environment.ts';
import type { Setup } from './setup.ts';

const { p } = keys.rsa2048;
const other = keys.rsa1024.p;
const pem = (key: string) => `-----BEGIN PUBLIC KEY-----${key}-----END PUBLIC KEY-----`;

type Records = readonly (string | readonly string[])[];

/** Records that people publish instead of the one that their signer shows. `key` is the signature's. */
export const KEY_RECORDS: Readonly<Record<string, (key: string) => Records>> = {
  right: (key) => [`v=DKIM1; k=rsa; p=${key}`],
  'cut at 100': (key) => [`v=DKIM1; k=rsa; p=${key.slice(0, 100)}`],
  'cut at 200': (key) => [`v=DKIM1; k=rsa; p=${key.slice(0, 200)}`],
  'cut by one': (key) => [`v=DKIM1; k=rsa; p=${key.slice(0, -1)}`],
  'without its beginning': (key) => [`v=DKIM1; k=rsa; p=${key.slice(8)}`],
  'another key': () => [`v=DKIM1; k=rsa; p=${other}`],
  'spaces in the key': (key) => [`v=DKIM1; k=rsa; p=${key.replace(/.{40}/g, '$& ')}`],
  'quotes around': (key) => [`"v=DKIM1; k=rsa; p=${key}"`],
  'quotes within': (key) => [`v=DKIM1; k=rsa; p=${key.slice(0, 90)}" "${key.slice(90)}`],
  backslashes: (key) => [`v=DKIM1\\; k=rsa\\; p=${key}`],
  brackets: (key) => [`(v=DKIM1; k=rsa; p=${key})`],
  'two strings': (key) => [[`v=DKIM1; k=rsa; p=${key.slice(0, 200)}`, key.slice(200)]],
  'strings joined': (key) => [`v=DKIM1; k=rsap=${key}`],
  'all joined': (key) => [`v=DKIM1k=rsat=sp=${key}`],
  'strings the wrong way round': (key) => [
    [key.slice(200), `v=DKIM1; k=rsa; p=${key.slice(0, 200)}`],
  ],
  'halves as two records': (key) => [`v=DKIM1; k=rsa; p=${key.slice(0, 100)}`, key.slice(100)],
  'halves as two records, turned': (key) => [
    key.slice(100),
    `v=DKIM1; k=rsa; p=${key.slice(0, 100)}`,
  ],
  'k=ed25519': (key) => [`v=DKIM1; k=ed25519; p=${key}`],
  'k=RSA': (key) => [`v=DKIM1; k=RSA; p=${key}`],
  'k=dsa': (key) => [`v=DKIM1; k=dsa; p=${key}`],
  'k=rsa-sha256': (key) => [`v=DKIM1; k=rsa-sha256; p=${key}`],
  'no p=': () => ['v=DKIM1; k=rsa'],
  revoked: () => ['v=DKIM1; k=rsa; p='],
  'v=DKIM2': (key) => [`v=DKIM2; k=rsa; p=${key}`],
  'v=dkim1': (key) => [`v=dkim1; k=rsa; p=${key}`],
  'v=DKIM': (key) => [`v=DKIM; k=rsa; p=${key}`],
  'v= last': (key) => [`k=rsa; p=${key}; v=DKIM1`],
  'no v=': (key) => [`k=rsa; p=${key}`],
  'p= alone': (key) => [`p=${key}`],
  'the key alone': (key) => [key],
  't=y': (key) => [`v=DKIM1; k=rsa; t=y; p=${key}`],
  't=y:s': (key) => [`v=DKIM1; k=rsa; t=y:s; p=${key}`],
  'h=sha1': (key) => [`v=DKIM1; h=sha1; k=rsa; p=${key}`],
  's=tlsrpt': (key) => [`v=DKIM1; s=tlsrpt; k=rsa; p=${key}`],
  'g=': (key) => [`v=DKIM1; g=; k=rsa; p=${key}`],
  'semicolons twice': (key) => [`v=DKIM1;; k=rsa;; p=${key}`],
  'no semicolon': (key) => [`v=DKIM1; k=rsa p=${key}`],
  commas: (key) => [`v=DKIM1, k=rsa, p=${key}`],
  colons: (key) => [`v:DKIM1; k:rsa; p:${key}`],
  'a tab': (key) => [`v=DKIM1;\tk=rsa;\tp=${key}`],
  PEM: (key) => [`v=DKIM1; k=rsa; p=${pem(key)}`],
  base64url: (key) => [
    `v=DKIM1; k=rsa; p=${key.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`,
  ],
  'p= twice': (key) => [`v=DKIM1; k=rsa; p=${key}; p=${other}`],
  'two records': (key) => [`v=DKIM1; k=rsa; p=${key}`, `v=DKIM1; k=rsa; p=${other}`],
  'a text beside it': (key) => [`v=DKIM1; k=rsa; p=${key}`, 'hello'],
  'SPF beside it': (key) => [`v=DKIM1; k=rsa; p=${key}`, 'v=spf1 -all'],
  'SPF in its place': () => ['v=spf1 -all'],
  'the same twice': (key) => [`v=DKIM1; k=rsa; p=${key}`, `v=DKIM1; p=${key}`],
};

const at = (name: string, records: Records) => ({ [name]: { TXT: records as string[] } });

const NAMES = ['example.com', 'news.example.com'];

const recordSetups: readonly Setup[] = Object.entries(KEY_RECORDS).flatMap(([name, records]) =>
  NAMES.flatMap((d) =>
    (['rsa2048', 'rsa1024'] as const).map((size) => ({
      name: `DKIM, ${name}: ${size} at ${d}`,
      situation: {
        signatures: [signature({ d, key: keys[size].key })],
        zone: at(`s1._domainkey.${d}`, records(keys[size].p)),
      },
    })),
  ),
);

const KEY = 's1._domainkey.example.com';
const SECOND = Date.parse(ARRIVAL) / 1000;

/** Names at which the record is published, or what is there instead. */
const PLACES: Readonly<Record<string, Setup['situation']['zone']>> = {
  'no record': { [KEY]: null },
  'the domain twice': { [KEY]: null, ...at(`${KEY}.example.com`, [keyRecord]) },
  'no _domainkey': { [KEY]: null, ...at('s1.example.com', [keyRecord]) },
  'another selector': { [KEY]: null, ...at('s2._domainkey.example.com', [keyRecord]) },
  'an alias to nothing of the platform': { [KEY]: { CNAME: 's1.dkim.esp.example' } },
  'an alias to nothing of ours': { [KEY]: { CNAME: 'key.example.com' } },
  'an alias to a broken key of ours': {
    [KEY]: { CNAME: 'key.example.com' },
    ...at('key.example.com', [`v=DKIM1; k=foo; p=${p}`]),
  },
  'an alias to a key': {
    [KEY]: { CNAME: 'key.esp.example' },
    ...at('key.esp.example', [keyRecord]),
  },
};

/** Signatures with mistakes that signing programs make. */
export const SIGNERS: Readonly<Record<string, Partial<Signature>>> = {
  'rsa-sha1': { a: 'rsa-sha1' },
  'x= passed': { tags: { t: SECOND - 7200, x: SECOND - 3600 } },
  'x= soon': { tags: { t: SECOND, x: SECOND + 60 } },
  't= ahead': { tags: { t: SECOND + 86_400 } },
  'i= elsewhere': { tags: { i: '@other.example' } },
  'l= short': { length: 20 },
  'l= whole': { length: 'all' },
  'From not signed': { h: SIGNED.filter((name) => name !== 'from') },
  'Subject not signed': { h: SIGNED.filter((name) => name !== 'subject') },
  simple: { c: 'simple' },
  'a key of 512 bits': { key: keys.rsa512.key },
  'another key': { key: keys.rsa1024.key },
  'another selector': { s: 's2' },
  'the domain of the platform': { d: 'esp.example' },
  'a subdomain': { d: 'mail.example.com' },
};

/** Changes to an email after it was signed. */
export const CHANGES: Readonly<Record<string, (mail: string) => string>> = {
  'a footer': (mail) => `${mail}\r\n-- \r\nScanned.\r\n`,
  'another subject': (mail) => mail.replace('Subject: ', 'Subject: [list] '),
  'no bh=': (mail) => mail.replace(/ bh=[^;]*;\r\n/, ''),
  'no b=': (mail) => mail.replace(/ b=[\s\S]*?(?=\r\nDKIM|\r\nFrom)/, ' b='),
};

const single = (name: string, situation: Setup['situation']): Setup => ({
  name: `DKIM, ${name}`,
  situation,
});

const ED25519 = signature({ s: 's2', a: 'ed25519-sha256', key: keys.ed25519.key });

export const dkimSetups: readonly Setup[] = [
  ...recordSetups,
  ...Object.entries(PLACES).map(([name, zone]) => single(name, { ...(zone && { zone }) })),
  ...Object.entries(SIGNERS).map(([name, changes]) =>
    single(name, {
      signatures: [signature(changes)],
      zone: changes.key
        ? at(KEY, [name === 'another key' ? keyRecord : recordOf(changes.key)])
        : {},
    }),
  ),
  ...Object.entries(CHANGES).map(([name, alter]) => single(name, { alter })),
  single('unsigned', { signatures: [] }),
  // Two faults of one record. The fix of each writes it without both.
  single('t=y:s, i= below the domain', {
    signatures: [signature({ tags: { i: '@mail.example.com' } })],
    zone: at(KEY, [`v=DKIM1; k=rsa; t=y:s; p=${p}`]),
  }),
  single('Ed25519 alone', {
    signatures: [ED25519],
    zone: at('s2._domainkey.example.com', [recordOf(keys.ed25519.key)]),
  }),
  single('Ed25519 in its structure', {
    signatures: [ED25519, signature()],
    zone: at('s2._domainkey.example.com', [
      `v=DKIM1; k=ed25519; p=MCowBQYDK2VwAyEA${keys.ed25519.p}`,
    ]),
  }),
  single('strict alignment, signed by a subdomain', {
    signatures: [signature({ d: 'mail.example.com' })],
    zone: {
      ...at('s1._domainkey.mail.example.com', [keyRecord]),
      '_dmarc.example.com': {
        TXT: ['v=DMARC1; p=reject; adkim=s; rua=mailto:dmarc@example.com'],
      },
    },
  }),
  single('"strict" written out, signed by a subdomain', {
    signatures: [signature({ d: 'mail.example.com' })],
    zone: {
      ...at('s1._domainkey.mail.example.com', [keyRecord]),
      '_dmarc.example.com': {
        TXT: ['v=DMARC1; p=reject; adkim=strict; rua=mailto:dmarc@example.com'],
      },
    },
  }),
  single('a subdomain in From, unsigned', {
    mail: newsletter({ From: 'Example Shop <news@shop.example.com>' }),
    signatures: [],
    zone: { 'shop.example.com': { A: ['192.0.2.80'], MX: ['10 mail.example.com'] } },
  }),
];
