/** Cases of complete emails with various header fields. */

import { utf8 } from '../../mail/mails.ts';
import { type Case, NO_DOORS, type State } from '../case.ts';
import { keyRecord, signature } from '../keys.ts';
import { type Fields, newsletter, TO } from '../mails.ts';

/** A case of a newsletter with other headers. */
export const fields = (about: string, changes: Fields, states: Case['states']): Case => ({
  about,
  mail: newsletter(changes),
  states,
});

/** Nothing can be judged about a From domain at which nobody can publish records. */
const noDomain = {
  dmarc_alignment: 'unaligned',
  dmarc_record: 'absent',
  dmarc_record_valid: 'left out',
  dmarc_policy: 'left out',
  dmarc_subdomain_policy: 'left out',
  dmarc_rua: 'left out',
  dmarc_legacy_tags: 'left out',
  dmarc_inherited: 'left out',
  bimi_record: 'left out',
  bimi_dmarc_ready: 'left out',
  bimi_logo: 'left out',
  bimi_certificate: 'left out',
  mta_sts: 'left out',
  tls_rpt: 'left out',
  ...NO_DOORS,
  ns_ipv6: 'left out',
  link_offdomain: 'left out',
} as const;

const noFrom = (about: string, changes: Fields, more: Case['states'] = {}): Case =>
  fields(about, changes, {
    ...noDomain,
    dmarc_record: 'left out',
    from_header: 'unusable',
    from_domain_mx: 'left out',
    from_display_name: 'left out',
    from_domain_freemail: 'left out',
    from_domain_lookalike: 'left out',
    ...more,
  });

/** A subdomain whose name is not in ASCII. */
const IDN_ZONE = {
  'xn--bcher-kva.example.com': { A: ['192.0.2.80'], MX: ['10 mail.example.com'] },
} as const;

const subject = (about: string, Subject: string | null, state: State): Case =>
  fields(about, { Subject }, { subject_header: state });

const date = (about: string, value: string | null, state: State): Case =>
  fields(about, { Date: value }, { date_header: state });

const id = (about: string, value: string | null | string[], state?: State): Case =>
  fields(about, { 'Message-ID': value }, state ? { message_id: state } : {});

/**
 * A case with a header that appears twice. A signature covers the lower one, and only From is signed twice.
 */
const twice = (name: string, value: string, more: Case['states'] = {}): Case =>
  fields(`${name} twice`, { [name]: [value, value] }, { duplicate_headers: 'repeated', ...more });

export const headerCases: readonly Case[] = [
  noFrom('no From', { From: null }),
  noFrom('a From that cannot be read', { From: 'Example Shop <news@' }),
  noFrom(
    'two From headers',
    { From: ['A <news@example.com>', 'B <news@example.com>'] },
    // Both From fields are signed, but a third could still be added.
    { dkim_headers_signed: 'not_oversigned' },
  ),
  {
    about: 'a From domain in letters outside ASCII',
    mail: newsletter({ From: utf8('Example Shop <news@bücher.example.com>') }),
    zone: IDN_ZONE,
    states: {
      from_header: 'odd_form',
      eight_bit_headers: 'unencoded',
      dmarc_inherited: 'inherited',
      from_domain_lookalike: 'one_script',
      mta_sts: 'absent',
      tls_rpt: 'absent',
    },
  },
  {
    about: 'd= in letters outside ASCII',
    signatures: [signature({ d: utf8('bücher.example.com') })],
    zone: { ...IDN_ZONE, 's1._domainkey.xn--bcher-kva.example.com': { TXT: [keyRecord] } },
    states: { eight_bit_headers: 'unencoded' },
  },
  fields(
    'a blank line inside the header',
    { Subject: 'Five new books\r\n' },
    {
      ...{ mime_structure: 'broken', date_header: 'unusable', message_id: 'absent_or_repeated' },
      ...{ list_unsubscribe: 'perhaps_needed', list_unsubscribe_syntax: 'left out' },
      ...{ one_click: 'left out', one_click_signed: 'left out', preheader: 'left out' },
      ...{ active_content: 'left out', hidden_text: 'left out', text_html_mismatch: 'left out' },
      ...{ html_quality: 'left out', html_size: 'left out', image_only: 'left out' },
      ...{ images_alt: 'left out', images_embedded: 'left out', tracking_pixel: 'left out' },
    },
  ),
  fields(
    'two authors and no Sender',
    { From: 'A <a@example.com>, B <b@example.com>' },
    {
      from_header: 'unusable',
      from_display_name: 'left out',
      from_domain_freemail: 'left out',
      from_domain_lookalike: 'left out',
    },
  ),
  fields(
    'two authors and a Sender',
    { From: 'A <a@example.com>, B <b@example.com>', Sender: 'A <a@example.com>' },
    { from_header: 'several_authors' },
  ),
  fields(
    'a comma in a display name that is not quoted',
    { From: 'Berg, Tom <news@example.com>' },
    { from_header: 'several_authors' },
  ),
  fields(
    'a colon in a display name that is not quoted',
    { From: 'Shop: News <news@example.com>' },
    { from_header: 'several_authors' },
  ),
  fields(
    'an address in a comment',
    { From: 'Shop (a@example.com) <news@example.com>' },
    { from_header: 'odd_form' },
  ),
  fields(
    'raw 8-bit text in From',
    { From: utf8('Büro <news@example.com>') },
    { from_header: 'odd_form', eight_bit_headers: 'unencoded' },
  ),
  {
    about: 'a From domain of one label',
    mail: newsletter({ From: 'Example Shop <news@localhost>' }),
    states: {
      ...noDomain,
      from_header: 'odd_form',
      from_domain_mx: 'no_such_domain',
      one_click: 'unreachable',
      one_click_signed: 'left out',
    },
  },
  fields(
    'a dot at the end of the From domain',
    { From: 'Example Shop <news@example.com.>' },
    { from_header: 'odd_form' },
  ),
  fields(
    'an obsolete route in From',
    { From: 'Example Shop <@relay.example:news@example.com>' },
    { from_header: 'odd_form' },
  ),
  fields(
    'a group in From',
    { From: 'Shop: Example Shop <news@example.com>;' },
    { from_header: 'odd_form' },
  ),
  twice('Subject', 'Five new books for long evenings'),
  twice('To', TO),
  twice('Date', 'Fri, 20 Nov 2026 10:00:00 +0000'),
  twice('Message-ID', '<b1@example.com>', { message_id: 'absent_or_repeated' }),
  twice('Reply-To', 'office@example.com'),
  twice('MIME-Version', '1.0'),
  twice('Cc', 'a@example.com'),
  twice('Sender', 'a@example.com'),
  twice('In-Reply-To', '<a@example.com>'),
  fields(
    'raw 8-bit text in Subject',
    { Subject: utf8('Fünf neue Bücher') },
    { eight_bit_headers: 'unencoded' },
  ),
  fields(
    'raw 8-bit text in Message-ID',
    { 'Message-ID': utf8('<grüße@example.com>') },
    { eight_bit_headers: 'unencoded' },
  ),
  fields(
    'a broken encoded-word',
    { Subject: '=?UTF-8?B?###?=' },
    { eight_bit_headers: 'unencoded' },
  ),
  fields(
    'the program that wrote it',
    { 'X-Mailer': 'Shop Mailer 2.1' },
    { mailer_claim: 'plausible' },
  ),
  fields(
    'ASCII encoded',
    { Subject: '=?UTF-8?Q?Five_books?=' },
    { eight_bit_headers: 'needlessly_encoded' },
  ),
  date('no Date', null, 'unusable'),
  date('a Date that cannot be read', 'yesterday', 'unusable'),
  date('a Date two days late', 'Wed, 18 Nov 2026 10:00:00 +0000', 'far_off'),
  date('an obsolete zone', 'Fri, 20 Nov 2026 05:00:00 EST', 'far_off'),
  date('an hour of one digit', 'Fri, 20 Nov 2026 9:59:00 +0000', 'off'),
  date('GMT for a zone', 'Fri, 20 Nov 2026 10:00:00 GMT', 'off'),
  date('a Date an hour ahead', 'Fri, 20 Nov 2026 11:00:00 +0000', 'off'),
  date('a day of the week that there is not', 'Foo, 20 Nov 2026 10:00:00 +0000', 'far_off'),
  date('another day of the week than that of the date', 'Mon, 20 Nov 2026 10:00:00 +0000', 'off'),
  id('no Message-ID', null, 'absent_or_repeated'),
  id('a Message-ID without brackets', 'b1@example.com', 'no_id'),
  id('a Message-ID of localhost', '<b1@localhost>', 'faulty'),
  id('a Message-ID of .local', '<b1@shop.local>', 'faulty'),
  id('a Message-ID of one label', '<b1@mail>', 'faulty'),
  id('a Message-ID of an IP', '<b1@[192.0.2.25]>', 'unrelated'),
  id('a Message-ID of somebody else', '<b1@elsewhere.example.org>', 'unrelated'),
  fields('no To and no Cc', { To: null }, { to_header: 'not_addressed' }),
  fields(
    'undisclosed recipients',
    { To: 'undisclosed-recipients:;' },
    { to_header: 'not_addressed' },
  ),
  fields('another address in To', { To: 'list@example.com' }, { to_header: 'not_addressed' }),
  fields('a Bcc field', { Bcc: 'ada@example.com' }, { to_header: 'bcc_left' }),
  fields('a Bcc field of the reader alone', { Bcc: TO }, {}),
  fields('a comma at the end of To', { To: `${TO},` }, { to_header: 'empty_element' }),
  subject('no Subject', null, 'empty'),
  subject('an empty Subject', '', 'empty'),
  subject('a Subject in capitals', 'FIVE NEW BOOKS', 'shouting'),
  subject('three exclamation marks', 'Five new books!!!', 'shouting'),
  subject('a false reply', 'Re: five new books', 'shouting'),
  subject('a URL', 'Five new books: https://www.example.com/books', 'shouting'),
  subject('a false forward', 'Fwd: five new books', 'shouting'),
  subject(
    '71 characters',
    `Five new books for long evenings,\r\n and more${' words'.repeat(5)}`,
    'long',
  ),
  subject('a space at the end', 'Five new books ', 'long'),
];
