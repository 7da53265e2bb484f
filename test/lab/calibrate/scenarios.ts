/** Builds the setups of `scenarios.jsonl` as real emails and zones. */

import { seal, sealZone } from '../../analysis/whole/cases/arc.ts';
import { keys } from '../../analysis/whole/keys.ts';
import { letter, newsletter, page } from '../../analysis/whole/mails.ts';
import { elsewhere, notice, plainly, type Setup, setup } from '../../analysis/whole/setups.ts';
import { dmarc, ORIGIN, PTR, spf } from '../../analysis/whole/zone.ts';
import { IP } from '../../support/mail/inspection-environment.ts';

const RUA = 'rua=mailto:dmarc@example.com';
const unlisted = spf('v=spf1 ip4:198.51.100.5 -all');
const bulk = newsletter({ 'List-Id': null, 'Feedback-ID': null });
const includes = Array.from({ length: 11 }, (_, at) => `a${at + 1}.example`);

const list = elsewhere('lists.club.example');

const imageOnly = [
  '<p><a href="https://www.example.com/books"><img src="https://www.example.com/b.png" width="600" height="900" alt="Books"></a></p>',
  '<p>Five books for winter evenings. <a href="https://www.example.com/u/1">Unsubscribe</a></p>',
].join('\n');

const phish = page(
  '<p>Your account has been limited. Please verify within 24 hours.</p><p><a href="http://example.com/l">https://www.paypal.com/signin</a></p>',
);

/** The setups of `scenarios.jsonl`, by id, as a real email and zone with hosts under example.com. */
export const scenarios: Readonly<Record<string, Setup>> = {
  d01: setup(),
  d02: setup({ mail: bulk }),
  d03: setup({
    mail: newsletter({
      ...{ 'List-Id': null, 'Feedback-ID': null, Precedence: 'bulk' },
      ...{ 'List-Unsubscribe': null, 'List-Unsubscribe-Post': null },
    }),
  }),
  d04: setup({ zone: unlisted }),
  d05: setup({ signatures: [], zone: dmarc(`v=DMARC1; p=none; ${RUA}`) }),
  d06: setup({
    zone: {
      ...spf(`v=spf1 ${includes.map((name) => `include:${name}`).join(' ')} ip4:${IP} -all`),
      ...Object.fromEntries(
        includes.map((name, at) => [name, { TXT: [`v=spf1 ip4:198.51.100.${at + 1} -all`] }]),
      ),
    },
  }),
  d07: setup({ signatures: [], zone: { 'example.com': ORIGIN, '_dmarc.example.com': null } }),
  d08: setup({ zone: { '_dmarc.example.com': null } }),
  d09: setup({ zone: { [PTR]: null } }),
  d10: setup({ mail: notice({ 'Message-ID': null }) }),
  d11: setup({
    mail: notice(
      { From: 'PayPal Service <service@example.com>', Subject: 'Your account has been limited' },
      phish,
    ),
  }),
  d12: setup({
    ...list,
    mail: notice({
      'List-Id': '<club.lists.club.example>',
      'List-Post': '<mailto:club@lists.club.example>',
      Subject: '[club] Your order has shipped',
    }),
    signatures: [plainly({ key: keys.rsa1024.key }), ...(list.signatures ?? [])],
    alter: seal(),
    zone: { ...list.zone, ...sealZone },
  }),
  d13: setup({ alter: (mail) => mail.replace('Track it', 'Track it!') }),
  d14: setup(elsewhere('esp.example')),
  d15: setup({ zone: dmarc('v=DMARC1; p=none') }),
  d16: setup({ zone: spf(`v=spf1 ip4:${IP} -all`, 'v=spf1 mx -all') }),
  d17: setup({
    signatures: [plainly({ key: keys.rsa1024.key })],
    zone: { 's1._domainkey.example.com': { TXT: [`v=DKIM1; k=rsa; p=${keys.rsa1024.p}`] } },
  }),
  d18: setup({
    mail: {
      ...bulk,
      fields: { ...bulk.fields, 'Content-Type': 'text/html; charset=utf-8' },
      body: page(imageOnly).replaceAll('\n', '\r\n'),
    },
  }),
  d19: setup({
    mail: {
      ...letter({
        From: 'ben@example.com',
        Subject: 'tonight',
        'Auto-Submitted': null,
        'Content-Type': 'text/plain; charset=utf-8',
      }),
      body: 'ok see you at 7\r\n',
    },
  }),
  d20: setup({ zone: { '25.2.0.192.bl.spamcop.net': { A: ['127.0.0.2'] } } }),
};
