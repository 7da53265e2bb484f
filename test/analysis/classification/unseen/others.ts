/** Emails of discussion lists, machines and people that were not used to develop the classification. */

import type { UnseenMail } from './unseen-mail.ts';

/** Emails of lists whose members write to each other, or notices that follow a discussion. */
export const discussionLists: readonly UnseenMail[] = [
  {
    about: 'Mailman 3',
    from: 'Ilse Bruun via Birds <birds@lists.club.example>',
    subject: '[Birds] Waxwings at the station',
    fields: {
      'List-Id': 'Local birds <birds.lists.club.example>',
      'List-Post': '<mailto:birds@lists.club.example>',
      'List-Unsubscribe': '<mailto:birds-leave@lists.club.example>',
      'X-Mailman-Version': '3.3.9',
      Precedence: 'list',
    },
    body: 'About forty, in the rowans behind platform 2.\n_______________\nbirds mailing list -- birds@lists.club.example\nTo unsubscribe send an email to birds-leave@lists.club.example',
  },
  {
    about: 'Google Groups',
    from: "'Ola Berg' via Allotments <allotments@groups.example>",
    subject: '[allotments] Water off on Monday',
    fields: {
      'List-ID': '<allotments.groups.example>',
      'List-Post':
        '<https://groups.example/group/allotments/post>, <mailto:allotments@groups.example>',
      'X-Google-Group-Id': '881122',
      Precedence: 'list',
      'Mailing-list': 'list allotments@groups.example',
    },
    body: 'The council turns the water off on Monday.\n\n-- \nYou received this message because you are subscribed to the Google Groups "Allotments" group.\nTo unsubscribe from this group, send an email to allotments+unsubscribe@groups.example.',
  },
  {
    about: 'Discourse',
    from: 'mika via Tide Forum <forum@tide.example>',
    subject: '[Tide] [Help] Anchor drags in mud',
    fields: {
      'List-ID': 'Tide | Help <help.forum.tide.example>',
      'List-Archive': 'https://forum.tide.example/t/882',
      'List-Unsubscribe': '<https://forum.tide.example/email/unsubscribe/9>',
      'X-Discourse-Post-Id': '9912',
      'X-Discourse-Topic-Id': '882',
      'Auto-Submitted': 'auto-generated',
      Precedence: 'list',
    },
    body: 'Have you tried a longer chain?\n\nVisit Topic https://forum.tide.example/t/882 or reply to this email to respond.\nTo unsubscribe from these emails, click here https://forum.tide.example/email/unsubscribe/9',
  },
  {
    about: 'a forge, a comment on an issue',
    from: 'Ada Nurmi <notifications@forge.example>',
    subject: 'Re: [harbour/tide] Depth is off by one (Issue #412)',
    fields: {
      'In-Reply-To': '<harbour/tide/issues/412@forge.example>',
      References: '<harbour/tide/issues/412@forge.example>',
      'List-ID': 'harbour/tide <tide.harbour.forge.example>',
      'List-Archive': 'https://forge.example/harbour/tide',
      'List-Post': '<mailto:reply+AB12@reply.forge.example>',
      'List-Unsubscribe':
        '<mailto:unsub+AB12@reply.forge.example>, <https://forge.example/unsub/AB12>',
      Precedence: 'list',
      'X-GitHub-Reason': 'subscribed',
    },
    body: 'ada left a comment (harbour/tide#412)\n\nI can reproduce it on main.\n\n-- \nReply to this email directly, view it on Forge, or unsubscribe.\nYou are receiving this because you are subscribed to this thread.',
  },
  {
    about: 'Debian, with its own headers',
    from: 'Tom Raker <tom@raker.example>',
    subject: 'Bug#1099: tide: FTBFS with gcc 16',
    fields: {
      'List-Id': '<debian-devel.lists.debian.example>',
      'List-Post': '<mailto:debian-devel@lists.debian.example>',
      'List-Help': '<mailto:debian-devel-request@lists.debian.example?subject=help>',
      'List-Unsubscribe': '<mailto:debian-devel-request@lists.debian.example?subject=unsubscribe>',
      'X-Mailing-List': '<debian-devel@lists.debian.example> archive/latest/1',
      'X-Loop': 'debian-devel@lists.debian.example',
      Precedence: 'list',
    },
    body: 'Package: tide\nSeverity: serious\n\nThe build stops in depth.c, log attached.',
  },
  {
    about: 'ezmlm, of old',
    from: 'Per Aas <per@aas.example>',
    subject: 'Re: modem init string',
    fields: {
      'Mailing-List': 'contact modem-help@lists.aas.example; run by ezmlm',
      'Delivered-To': 'mailing list modem@lists.aas.example',
      'In-Reply-To': '<88@x.example>',
    },
    body: 'ATZ and then wait a second.\n\n---------\nTo unsubscribe, e-mail: modem-unsubscribe@lists.aas.example',
  },
  {
    about: 'Sympa, French',
    from: 'Claire Morel <claire@morel.example>',
    subject: '[chorale] Répétition de jeudi',
    fields: {
      'List-Id': '<chorale.listes.example>',
      'List-Post': '<mailto:chorale@listes.example>',
      'X-Loop': 'chorale@listes.example',
      'X-Sequence': '771',
      Precedence: 'list',
    },
    body: 'Bonjour, la salle est prise jeudi ; on se retrouve vendredi à 19 h.',
  },
  {
    about: 'groups.io',
    from: 'Sam Pell via groups.io <sam=pell.example@groups.example>',
    subject: 'Re: [radio] #antenna Feed line length',
    fields: {
      'List-Id': '<radio.groups.example>',
      'Mailing-List': 'list radio@groups.example; contact radio+owner@groups.example',
      'List-Unsubscribe': '<https://groups.example/g/radio/unsub>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      Precedence: 'Bulk',
      References: '<1@pell.example>',
    },
    body: 'Half a wave, and mind the balun.\n\n-=-=-\nGroups.io Links: You receive all messages sent to this group.\nUnsubscribe: https://groups.example/g/radio/unsub',
  },
];

/** Emails that a machine sends on its own. */
export const automatic: readonly UnseenMail[] = [
  {
    about: 'a vacation answer, Swedish',
    from: 'Karin Ek <karin@ek.example>',
    subject: 'Autosvar: Offert på staket',
    fields: { 'Auto-Submitted': 'auto-replied', 'In-Reply-To': '<9@x.example>' },
    body: 'Jag är på semester till den 4 december.',
  },
  {
    about: 'a vacation answer without the header, German',
    from: 'Jonas Weber <jonas.weber@weber.example>',
    subject: 'Automatische Antwort: Angebot Zaun',
    fields: { 'X-Auto-Response-Suppress': 'All', 'In-Reply-To': '<9@x.example>' },
    body: 'Vielen Dank für Ihre Nachricht. Ich bin bis 4. Dezember nicht im Büro.',
  },
  {
    about: 'a vacation answer, Outlook in Spanish',
    from: 'Lucía Ferrer <lucia.ferrer@ferrer.example>',
    subject: 'Respuesta automática: Reunión del lunes',
    fields: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    body: 'Estoy fuera de la oficina hasta el lunes.',
  },
  {
    about: 'cron',
    from: 'Cron Daemon <root@pump3.example>',
    subject: 'Cron <backup@pump3> /usr/local/bin/nightly',
    fields: { 'Auto-Submitted': 'auto-generated', 'X-Cron-Env': '<SHELL=/bin/sh>' },
    body: 'rsync: 412 files, 0 errors',
  },
  {
    about: 'monitoring, down',
    from: 'Watchpost <alerts@watchpost.example>',
    subject: '[DOWN] api.tide.example (HTTP 502)',
    body: 'api.tide.example does not answer since 03:12 UTC. Checked from 3 places.\nhttps://watchpost.example/i/77',
  },
  {
    about: 'a broken build',
    from: 'CI <ci@forge.example>',
    subject: 'Pipeline #8812 failed for main',
    fields: { 'Auto-Submitted': 'auto-generated' },
    body: 'Job test failed after 3 minutes: 2 of 811 tests. https://forge.example/p/8812',
  },
  {
    about: 'a delivery report',
    from: 'Mail Delivery System <mailer-daemon@mx.harbour.example>',
    subject: 'Undelivered Mail Returned to Sender',
    fields: { 'Auto-Submitted': 'auto-replied' },
    nullSender: true,
    body: 'I am sorry to inform you that your message could not be delivered to one or more recipients.',
  },
  {
    about: 'a ticket system that says it has it',
    from: 'Harbour Support <support@harbour.example>',
    subject: 'We have received your request (#4471)',
    fields: { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' },
    body: 'Thank you for writing. Somebody will answer within one working day.',
  },
  {
    about: 'Grafana',
    from: 'Grafana <grafana@obs.example>',
    subject: '[FIRING:1] DiskUsageHigh (pump3)',
    body: 'Alert DiskUsageHigh is firing. Value: 93. Runbook: https://obs.example/r/disk',
  },
  {
    about: 'a report on DMARC',
    from: 'noreply-dmarc@mail.big.example',
    subject: 'Report Domain: tide.example Submitter: big.example Report-ID: 881',
    fields: { 'Auto-Submitted': 'auto-generated' },
    body: 'This is an aggregate report.',
  },
];

/** Letters between people. */
export const personal: readonly UnseenMail[] = [
  {
    about: 'English, an answer with a quote and a signature',
    from: 'Ruth Ames <ruth@ames.example>',
    subject: 'Re: Sunday',
    fields: { 'In-Reply-To': '<3@kern.example>', 'X-Mailer': 'Apple Mail (2.3774)' },
    body: 'Sunday works. I will bring the soup.\n\nRuth\n\n> On 12 Nov, Paul Kern wrote:\n> Are you free on Sunday?',
  },
  {
    about: 'English, with a disclaimer',
    from: 'Daniel Okoye <d.okoye@okoyelaw.example>',
    subject: 'Draft lease',
    fields: { 'User-Agent': 'Mozilla Thunderbird' },
    body: 'Dear Marion,\nclause 7 still bothers me. Could we speak on Tuesday?\n\nDaniel Okoye\nOkoye Law, 3 Castle St\n\nThis e-mail is confidential and intended only for its addressee. If you are not the intended recipient, please delete it and notify the sender.',
  },
  {
    about: 'German, a letter',
    from: 'Anke Petersen <anke.petersen@petersen.example>',
    subject: 'Fotos vom Sommer',
    body: 'Liebe Hanna,\nhier endlich die Bilder vom See. Das dritte ist mein liebstes. Kommt ihr im Advent?\nHerzlich, Anke',
  },
  {
    about: 'French, a letter',
    from: 'Luc Garnier <luc.garnier@garnier.example>',
    subject: 'La réunion de jeudi',
    fields: { 'X-Mailer': 'Microsoft Outlook 16.0' },
    body: 'Bonjour Sophie,\nje serai un peu en retard jeudi, commencez sans moi.\nBien à toi,\nLuc',
  },
  {
    about: 'Spanish, a forward',
    from: 'Inés Mora <ines.mora@mora.example>',
    subject: 'RV: Plano de la casa',
    body: 'Te reenvío el plano, mira la cocina.\n\n--- Mensaje original ---\nDe: Pablo',
  },
  {
    about: 'Japanese, a letter',
    from: '佐藤 健 <ken.sato@sato.example>',
    subject: '明日の件',
    fields: { 'In-Reply-To': '<7@sato.example>' },
    body: '田中さん、明日は十時に駅でお会いしましょう。佐藤',
  },
  {
    about: 'Polish, from a free provider',
    from: 'Marek Wójcik <marek.wojcik@gmail.com>',
    subject: 'Klucze',
    body: 'Zostawiłem klucze u sąsiadki. Marek',
  },
  {
    about: 'English, about a bill between friends',
    from: 'Tess Lowe <tess.lowe@lowe.example>',
    subject: 'Re: dinner',
    fields: { 'In-Reply-To': '<1@lowe.example>' },
    body: 'I paid, you owe me 18. No hurry. Tess',
  },
];
