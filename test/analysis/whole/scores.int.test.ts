import { afterAll, beforeAll, expect, test } from 'vitest';
import { IP } from '../../support/mail/inspection-environment.ts';
import type { Case } from './case.ts';
import { startWholeEnvironment, type WholeEnvironment } from './environment.ts';
import { keyRecord, keys, signature } from './keys.ts';
import { letter, newsletter, page, withHtml } from './mails.ts';
import { FLAGGED } from './names.ts';
import { dmarc, PTR } from './zone.ts';

let environment: WholeEnvironment;
beforeAll(async () => {
  environment = await startWholeEnvironment();
});
afterAll(() => environment.stop());

type Changes = Omit<Case, 'about' | 'states'>;

const RUA = 'rua=mailto:dmarc@example.com';
const NONE = dmarc(`v=DMARC1; p=none; ${RUA}`);
const LISTED = { '25.2.0.192.bl.spamcop.net': { A: ['127.0.0.2'] } };
const POOL = 'o1.sendgrid.net';
const shared = {
  from: { localPart: 'bounce', domain: 'esp.example', smtputf8: false },
  signatures: [signature({ d: 'esp.example' })],
  zone: {
    'esp.example': { MX: ['10 mail.example.com'], TXT: [`v=spf1 ip4:${IP} -all`] },
    's1._domainkey.esp.example': { TXT: [keyRecord] },
    '_dmarc.example.com': null,
  },
};

const heavy = `<!--${'y'.repeat(98)}\n${`${'y'.repeat(98)}\n`.repeat(1270)}-->`;
const bare = '<img src="https://www.example.com/1.png">'.repeat(2);
const shortened = '<p><a href="https://bit.ly/1">Look</a></p>';

const generic = `25.2.0.192.vps.isp.example`;
const script: Changes = {
  mail: letter(
    {
      'Content-Type': 'text/html; charset=utf-8',
      'Message-ID': '<1@localhost>',
      'Auto-Submitted': 'auto-generated',
    },
    { body: page('<p>Hello, your order is here.</p>').replace(/\n/g, '\r\n') },
  ),
  signatures: [],
  client: { helo: generic },
  zone: {
    '_dmarc.example.com': null,
    [PTR]: { PTR: [generic] },
    [generic]: { A: [IP] },
  },
};

/** Messages as senders have them, and what they are worth. */
const table: readonly [about: string, score: number, grade: string, changes: Changes][] = [
  ['everything right', 100, 'A', {}],
  ['everything right, p=none', 97, 'A', { zone: NONE }],
  [
    'a listed shared pool, else right',
    96,
    'A',
    {
      client: { helo: POOL },
      zone: { ...LISTED, [PTR]: { PTR: [POOL] }, [POOL]: { A: [IP] } },
    },
  ],
  [
    'own server, 1024-bit key, p=none, no rua',
    92,
    'A',
    {
      signatures: [signature({ key: keys.rsa1024.key })],
      zone: {
        ...dmarc('v=DMARC1; p=none'),
        's1._domainkey.example.com': { TXT: [`v=DKIM1; k=rsa; p=${keys.rsa1024.p}`] },
      },
    },
  ],
  [
    'bulk without List-Unsubscribe-Post',
    89,
    'B',
    { mail: newsletter({ 'List-Unsubscribe-Post': null }) },
  ],
  [
    'a plaintext hop',
    89,
    'B',
    { client: { tls: { status: 'plaintext', version: null, cipher: null } } },
  ],
  [
    '130 KB HTML, images without alt, a shortener',
    89,
    'B',
    { mail: withHtml(`${heavy}${bare}${shortened}`) },
  ],
  ['no DKIM, SPF aligned, p=none', 70, 'C', { mail: letter(), signatures: [], zone: NONE }],
  ['a listed IP of its own, else right', 59, 'D', { zone: LISTED }],
  ['no PTR, else right', 59, 'D', { zone: { [PTR]: null } }],
  ["a provider's shared domain: passes, unaligned, no DMARC", 56, 'D', shared],
  ['a script on a VPS', 44, 'D', script],
  [
    'a flagged link, else right',
    39,
    'F',
    { mail: withHtml(`<p><a href="https://${FLAGGED}/">x</a></p>`) },
  ],
];

test.each(table)('%s: %i, %s', async (_, score, grade, changes) => {
  const { report } = await environment.analyze(changes);
  expect({ score: report.score, grade: report.grade, notes: report.notes[0] }).toEqual({
    score,
    grade,
    notes: expect.stringMatching(/^score: 100/),
  });
});
