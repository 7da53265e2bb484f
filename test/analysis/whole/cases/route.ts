/** Cases of complete emails with various Received fields. */

import type { Case } from '../case.ts';
import { letter, newsletter } from '../mails.ts';

const date = (time: string) => `Fri, 20 Nov 2026 ${time} +0000`;

/** The field of a server of the sender that received the email from a public address. */
const own = (time: string, protocol = 'ESMTPS', from = 'app.example.com') =>
  `from ${from} (${from} [198.51.100.9])\r\n by mail.example.com with ${protocol} id 1; ${date(time)}`;

const SAFE = {
  received_chain: 'plausible',
  received_times: 'in_order',
  received_tls: 'encrypted',
} as const;

const received = (about: string, fields: readonly string[], states: Case['states']): Case => ({
  about,
  mail: newsletter({ Received: fields }),
  states,
});

/** Cases of Received fields. The topmost field is the last one, because fields are added at the top. */
export const routeCases: readonly Case[] = [
  received(
    'a field of this service in an email that it never accepted',
    [`from a.example by mx.in.example.net with ESMTP;\r\n ${date('10:00:00')}`],
    { received_chain: 'contradicted', received_times: 'in_order' },
  ),
  received(
    '26 fields',
    Array.from({ length: 26 }, () => own('10:00:00', 'ESMTPS', 'mail.example.com')),
    {
      ...SAFE,
      received_chain: 'too_many',
    },
  ),
  received('two servers that send it back and forth', [own('10:00:00'), own('10:00:00')], {
    ...SAFE,
    received_chain: 'circles',
  }),
  received('a clock that is an hour ahead', [own('11:00:00')], {
    ...SAFE,
    received_times: 'own_clock',
  }),
  received('two hours in a queue', [own('10:00:00', 'ESMTPS', 'b.example.com'), own('08:00:00')], {
    ...SAFE,
    received_times: 'waited',
  }),
  received('a login over TLS', [own('10:00:00', 'ESMTPSA\r\n (using TLSv1.3)')], SAFE),
  received('a login in clear', [own('10:00:00', 'ESMTPA')], {
    ...SAFE,
    received_tls: 'login_in_clear',
  }),
  received('SMTP in clear', [own('10:00:00', 'ESMTP')], { ...SAFE, received_tls: 'in_clear' }),
  {
    about: 'a program that writes other emails',
    mail: letter({ 'X-Mailer': 'Microsoft Outlook 16.0' }),
    states: { mailer_claim: 'contradicted' },
  },
];
