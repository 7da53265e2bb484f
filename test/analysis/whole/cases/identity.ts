/**
 * Cases of complete emails with a misleading display name, From domain or Reply-To, with signs of
 * impersonation, with markers of bulk email, or with header fields that reveal internal data.
 */

import type { Case, State } from '../case.ts';
import { keyRecord, signature } from '../keys.ts';
import {
  type Fields,
  letter,
  newsletter,
  newsletterBody,
  page,
  WORDS,
  withHtml,
} from '../mails.ts';
import { ORIGIN } from '../zone.ts';

const name = (about: string, From: string, state: State): Case => ({
  about,
  mail: newsletter({ From }),
  states: { from_display_name: state },
});

const encoded = (text: string) =>
  `=?UTF-8?B?${Buffer.from(text).toString('base64')}?= <news@example.com>`;

/** A separate From domain from which email is sent as from the others here. */
const elsewhere = (domain: string) => ({
  [domain]: ORIGIN,
  [`_dmarc.${domain}`]: { TXT: [`v=DMARC1; p=reject; rua=mailto:dmarc@${domain}`] },
  [`s1._domainkey.${domain}`]: { TXT: [keyRecord] },
});

const bare = {
  bimi_record: 'absent',
  bimi_dmarc_ready: 'left out',
  bimi_logo: 'left out',
  bimi_certificate: 'left out',
  mta_sts: 'absent',
  tls_rpt: 'absent',
} as const;

const replyTo = (about: string, value: string, state: State): Case => ({
  about,
  mail: newsletter({ 'Reply-To': value }),
  states: { reply_to: state },
});

const markers = (about: string, mail: Case['mail'], states: Case['states']): Case => ({
  about,
  ...(mail && { mail }),
  states,
});

/** The states of an email whose Received fields have no fault. */
const inOrder = { received_chain: 'plausible', received_times: 'in_order' } as const;

const leak = (about: string, fields: Fields): Case => ({
  about,
  mail: newsletter(fields),
  states: { internal_headers_leak: 'leaking', ...(fields.Received ? inOrder : {}) },
});

/** A case of email from a domain that is written in another script. */
const idn = (about: string, domain: string, state: State): Case => ({
  about,
  mail: newsletter({ From: `Example Shop <news@${domain}>` }),
  signatures: [signature({ d: domain })],
  zone: elsewhere(domain),
  states: {
    from_domain_lookalike: state,
    ...bare,
    dmarc_alignment: 'dkim_only',
    link_offdomain: 'none_own',
    one_click: 'unreachable',
    one_click_signed: 'left out',
  },
});

export const identityCases: readonly Case[] = [
  name('another domain in the name', '"bank.com" <news@example.com>', 'deceptive'),
  name('an address in the name', '"help@bank.com" <news@example.com>', 'deceptive'),
  name('a direction override in the name', encoded('Shop\u202e'), 'deceptive'),
  name('a zero-width space in the name', encoded('Sh\u200bop'), 'deceptive'),
  name('no name', 'news@example.com', 'missing'),
  name('the address for a name', '"news@example.com" <news@example.com>', 'missing'),
  {
    about: 'freemail that somebody else sends',
    mail: newsletter({ From: 'Example Shop <shop@gmail.com>' }),
    zone: elsewhere('gmail.com'),
    states: {
      from_domain_freemail: 'not_sent_by_it',
      ...bare,
      dmarc_alignment: 'refused',
      link_offdomain: 'left out',
      one_click: 'unreachable',
      one_click_signed: 'left out',
    },
  },
  {
    about: 'freemail that its provider sends',
    mail: newsletter({ From: 'Example Shop <shop@gmail.com>' }),
    signatures: [signature({ d: 'gmail.com' })],
    zone: elsewhere('gmail.com'),
    states: {
      from_domain_freemail: 'sent_by_it',
      ...bare,
      dmarc_alignment: 'dkim_only',
      link_offdomain: 'left out',
      one_click: 'unreachable',
      one_click_signed: 'left out',
    },
  },
  {
    about: 'a letter by freemail that its provider sends',
    mail: letter({ From: 'Nora Hale <nora.hale@gmail.com>' }),
    signatures: [signature({ d: 'gmail.com' })],
    zone: elsewhere('gmail.com'),
    states: {
      from_domain_freemail: 'private',
      ...bare,
      dmarc_alignment: 'dkim_only',
      link_offdomain: 'left out',
    },
  },
  // xn--pypal-4ve: "pаypal" with a Cyrillic a; xn--e1afmkfd: "пример".
  idn('scripts mixed in a label', 'xn--pypal-4ve.example', 'mixed_scripts'),
  idn('a label of one script', 'xn--e1afmkfd.example', 'one_script'),
  replyTo('a Reply-To that cannot be read', 'office@', 'doubtful'),
  replyTo('a freemail Reply-To', 'shop@gmail.com', 'elsewhere'),
  replyTo('a Reply-To elsewhere', 'office@example.org', 'elsewhere'),
  {
    about: 'no-reply without Reply-To',
    mail: letter({ From: 'Example Shop <no-reply@example.com>' }),
    states: { reply_to: 'elsewhere' },
  },
  markers(
    'automated mail without Auto-Submitted',
    letter({
      From: 'Shop <no-reply@example.com>',
      'Reply-To': 'office@example.com',
      'Auto-Submitted': null,
    }),
    { bulk_markers: 'incomplete' },
  ),
  markers(
    'bulk without List-Id and Feedback-ID',
    newsletter({ 'List-Id': null, 'Feedback-ID': null, Precedence: 'bulk' }),
    { bulk_markers: 'incomplete' },
  ),
  {
    about: 'a brand as the display name of another domain',
    mail: newsletter({ From: 'PayPal Service <news@example.com>' }),
    states: { impersonation: 'one_sign' },
  },
  {
    about: 'a host that begins with another domain',
    mail: withHtml('<p><a href="https://chase.com.www.example.com/v">Books</a></p>'),
    states: { impersonation: 'one_sign' },
  },
  {
    about: 'a link to a domain that is written like a brand’s',
    mail: letter(
      {},
      {
        html: page(`<p>${WORDS}</p><p><a href="https://www.paypa1-konto.com/">Books</a></p>`),
        text: `${WORDS} https://www.paypa1-konto.com/`,
      },
    ),
    states: { impersonation: 'one_sign', link_offdomain: 'none_needed' },
  },
  {
    about: 'a From domain written like the one it answers',
    mail: newsletter({ References: '<1@examp1e.com>' }),
    states: { impersonation: 'one_sign' },
  },
  {
    about: 'a subject that mixes letters of two scripts',
    mail: newsletter({
      Subject: `=?UTF-8?B?${Buffer.from('News of the Воoks').toString('base64')}?=`,
    }),
    states: { impersonation: 'one_sign' },
  },
  {
    about: 'invisible characters within words',
    mail: withHtml('<p>bo&#8203;oks an&#8203;d pap&#8203;er</p>'),
    states: { impersonation: 'one_sign' },
  },
  {
    about: 'a payment whose answers go elsewhere',
    mail: newsletter(
      { 'Reply-To': 'x@example.net' },
      { html: page(`${newsletterBody()}<p>Please buy some gift cards for me.</p>`) },
    ),
    states: { impersonation: 'one_sign', reply_to: 'elsewhere' },
  },
  {
    about: 'the words of the reader’s own mail system, and links to a stranger',
    mail: letter(
      { From: 'Mail Administrator <news@example.com>' },
      {
        html: page(
          `<p>Your mailbox is 98% full. ${WORDS}</p><p><a href="https://login.iana.org/">Upgrade</a></p>`,
        ),
        text: `Your mailbox is 98% full. ${WORDS} https://login.iana.org/`,
      },
    ),
    states: { impersonation: 'one_sign', link_offdomain: 'none_needed' },
  },
  {
    about: 'words of fraud beside a link that hides its target',
    mail: letter(
      {},
      {
        html: page(
          `<p>Your account is suspended. Verify it within 24 hours. ${WORDS}</p><p><a href="https://bit.ly/1">Verify</a></p>`,
        ),
        text: `Your account is suspended. Verify it within 24 hours. ${WORDS} https://bit.ly/1`,
      },
    ),
    states: {
      impersonation: 'one_sign',
      spam_phrases: 'few',
      link_shortener: 'shortened',
      link_offdomain: 'none_needed',
    },
  },
  {
    about: 'a brand at a domain that is written like its own',
    mail: newsletter({ From: 'Netflix <news@netflx.example>' }),
    signatures: [signature({ d: 'netflx.example' })],
    zone: elsewhere('netflx.example'),
    states: {
      impersonation: 'several_signs',
      ...bare,
      dmarc_alignment: 'dkim_only',
      link_offdomain: 'none_own',
      one_click: 'unreachable',
      one_click_signed: 'left out',
    },
  },
  {
    about: 'a brand as the display name, and its domain in the text of a link',
    mail: newsletter(
      { From: 'PayPal <news@example.com>' },
      {
        html: page(
          `${newsletterBody()}<p><a href="https://www.example.com/l">https://www.paypal.com/</a></p>`,
        ),
      },
    ),
    states: { impersonation: 'several_signs', link_text_mismatch: 'foreign' },
  },
  {
    about: 'a letter with the Feedback-ID of its provider is no bulk mail',
    mail: letter({ 'Feedback-ID': '1.eu-central-1.abcdef:Provider' }),
    states: {},
  },
  markers('an odd Precedence', newsletter({ Precedence: 'urgent' }), {
    bulk_markers: 'incomplete',
  }),
  leak('the script that sent it', { 'X-PHP-Originating-Script': '1000:mail.php' }),
  leak('the client that sent it', { 'X-Originating-IP': '[198.51.100.9]' }),
  leak('an internal host in Received', {
    Received: 'from app.shop.local by mail.example.com;\r\n Fri, 20 Nov 2026 10:00:00 +0000',
  }),
  leak('a private IP in Received', {
    Received: 'from [10.0.0.7] by mail.example.com;\r\n Fri, 20 Nov 2026 10:00:00 +0000',
  }),
];
