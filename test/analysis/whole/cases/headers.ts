import { utf8 } from '../../mail/mails.ts';
import type { Case, State } from '../case.ts';
import { type Fields, newsletter, parts, TO, textPart, WORDS } from '../mails.ts';

const fields = (about: string, changes: Fields, states: Case['states']): Case => ({
  about,
  mail: newsletter(changes),
  states,
});

/** Of a From domain that nobody can publish at nothing can be judged. */
const noDomain = {
  dmarc_alignment: 'fail 0',
  dmarc_record: 'fail 0',
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
  link_offdomain: 'left out',
} as const;

const noFrom = (about: string, changes: Fields, more: Case['states'] = {}): Case =>
  fields(about, changes, {
    ...noDomain,
    from_header: 'fail 0',
    from_domain_mx: 'left out',
    from_display_name: 'left out',
    from_domain_freemail: 'left out',
    from_domain_lookalike: 'left out',
    ...more,
  });

/** Without HTML and links there is nothing of them to judge. */
const noBody = {
  active_content: 'left out',
  body_unsubscribe: 'warn 0',
  hidden_text: 'left out',
  html_quality: 'left out',
  html_size: 'left out',
  image_only: 'left out',
  images_alt: 'left out',
  images_embedded: 'left out',
  link_count: 'left out',
  link_homograph: 'left out',
  link_https: 'left out',
  link_ip_host: 'left out',
  link_malformed: 'left out',
  link_offdomain: 'left out',
  link_reputation: 'left out',
  link_shortener: 'left out',
  link_text_mismatch: 'left out',
  preheader: 'left out',
  text_html_mismatch: 'left out',
  tracking_pixel: 'left out',
} as const;

/** Text alone, with a link in it. */
const onlyLink = {
  active_content: 'left out',
  body_unsubscribe: 'warn 0',
  hidden_text: 'left out',
  html_quality: 'left out',
  html_size: 'left out',
  image_only: 'left out',
  images_alt: 'left out',
  images_embedded: 'left out',
  preheader: 'left out',
  text_html_mismatch: 'left out',
  tracking_pixel: 'left out',
} as const;

const body = (about: string, text: string, states: Case['states']): Case => ({
  about,
  mail: newsletter({}, { body: text }),
  states,
});

const structure = (about: string, text: string, state: State, more: Case['states'] = {}): Case =>
  body(about, text, { mime_structure: state, ...more });

const text = textPart(
  `${WORDS}\n\nUnsubscribe: https://www.example.com/u/1\nhttps://www.example.com/books`,
);
const html = newsletter().body.split('--b1\r\n')[2]?.replace('--b1--\r\n', '').trimEnd() ?? '';
const whole = parts([text, html]);

const amp = 'Content-Type: text/x-amp-html\r\n\r\n<!doctype html><html amp4email></html>';

const as8bit = (entity: string) =>
  entity.replace('\r\n\r\n', '\r\nContent-Transfer-Encoding: 8bit\r\n\r\n');

const withLine = (octets: number) =>
  whole.replace('Unsubscribe: ', `${'word '.repeat(octets).slice(0, octets - 1)}.\r\n$&`);

const nested = (depth: number): string =>
  depth === 0
    ? text
    : `Content-Type: multipart/mixed; boundary="n${depth}"\r\n\r\n--n${depth}\r\n${nested(depth - 1)}\r\n--n${depth}--`;

const subject = (about: string, Subject: string | null, state: State): Case =>
  fields(about, { Subject }, { subject_header: state });

const date = (about: string, value: string | null, state?: State): Case =>
  fields(about, { Date: value }, state ? { date_header: state } : {});

const id = (about: string, value: string | null | string[], state?: State): Case =>
  fields(about, { 'Message-ID': value }, state ? { message_id: state } : {});

/** A header twice; a signature covers the lower one, and From alone is signed twice. */
const twice = (name: string, value: string, more: Case['states'] = {}): Case =>
  fields(`${name} twice`, { [name]: [value, value] }, { duplicate_headers: 'fail 0', ...more });

const charset = (about: string, entity: string): Case =>
  body(about, parts([entity, html]), { charset_declared: 'warn 0' });

export const headerCases: readonly Case[] = [
  noFrom('no From', { From: null }),
  noFrom('a From that cannot be read', { From: 'Example Shop <news@' }),
  noFrom(
    'two From headers',
    { From: ['A <news@example.com>', 'B <news@example.com>'] },
    // Both are signed, so that a third could be added.
    { dkim_headers_signed: 'info 2' },
  ),
  fields(
    'two authors and no Sender',
    { From: 'A <a@example.com>, B <b@example.com>' },
    {
      from_header: 'fail 0',
      from_display_name: 'left out',
      from_domain_freemail: 'left out',
      from_domain_lookalike: 'left out',
    },
  ),
  fields(
    'two authors and a Sender',
    { From: 'A <a@example.com>, B <b@example.com>', Sender: 'A <a@example.com>' },
    {},
  ),
  fields(
    'an address in a comment',
    { From: 'Shop (a@example.com) <news@example.com>' },
    { from_header: 'warn 1' },
  ),
  fields(
    'raw 8-bit text in From',
    { From: utf8('Büro <news@example.com>') },
    { from_header: 'warn 1', eight_bit_headers: 'warn 0' },
  ),
  {
    about: 'a From domain of one label',
    mail: newsletter({ From: 'Example Shop <news@localhost>' }),
    states: {
      ...noDomain,
      from_header: 'warn 1',
      from_domain_mx: 'fail 0',
    },
  },
  twice('Subject', 'Five new books for long evenings'),
  twice('To', TO),
  twice('Date', 'Fri, 20 Nov 2026 10:00:00 +0000'),
  twice('Message-ID', '<b1@example.com>', { message_id: 'fail 0' }),
  twice('Reply-To', 'office@example.com'),
  twice('MIME-Version', '1.0'),
  twice('Cc', 'a@example.com'),
  twice('Sender', 'a@example.com'),
  twice('In-Reply-To', '<a@example.com>'),
  structure('no closing boundary', whole.replace('--b1--', ''), 'fail 0'),
  structure(
    'an unknown transfer encoding',
    parts([text.replace('\r\n\r\n', '\r\nContent-Transfer-Encoding: zip\r\n\r\n'), html]),
    'fail 0',
  ),
  structure(
    'a part that cannot be decoded',
    parts([
      text,
      `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n####`,
      html,
    ]),
    'fail 0',
  ),
  {
    about: 'no boundary parameter',
    mail: newsletter({ 'Content-Type': 'multipart/alternative' }),
    states: { mime_structure: 'fail 0', ...noBody, text_alternative: 'left out' },
  },
  {
    about: 'an empty body',
    mail: newsletter({ 'Content-Type': 'text/plain; charset=utf-8' }, { body: '\r\n' }),
    states: { mime_structure: 'fail 0', ...noBody },
  },
  {
    about: 'an address and no word',
    mail: newsletter(
      { 'Content-Type': 'text/plain; charset=utf-8' },
      { body: 'https://www.example.com/u/1\r\n' },
    ),
    states: onlyLink,
  },
  structure('html before text', parts([html, text]), 'warn 1'),
  structure('html before AMP', parts([text, html, amp]), 'warn 1'),
  body('AMP before html', parts([text, amp, html]), {}),
  structure(
    '8-bit text said to be 7bit',
    parts([textPart(utf8(`${WORDS} Größe`)), html]),
    'warn 1',
  ),
  body('8-bit text said to be so', parts([as8bit(textPart(utf8(`${WORDS} Größe`))), html]), {}),
  structure('eleven levels', parts([nested(10), html]), 'warn 1'),
  fields('no MIME-Version', { 'MIME-Version': null }, { mime_structure: 'warn 1' }),
  body('a line of 998 octets', withLine(998), {}),
  body('a line of 999 octets', withLine(999), { line_length: 'fail 0' }),
  fields(
    'a header line of 999 octets',
    { 'X-Note': 'w'.repeat(999 - 'X-Note: '.length) },
    { line_length: 'fail 0' },
  ),
  fields('a long header line', { 'X-Note': 'word '.repeat(20) }, { line_length: 'info 1' }),
  {
    about: 'a bare LF',
    alter: (mail) => mail.replace('Good evening, winter', 'Good evening,\nwinter'),
    // Put in after signing.
    states: {
      bare_newlines: 'fail 0',
      dkim_valid: 'fail 0',
      dmarc_alignment: 'warn 1',
      one_click_signed: 'warn 0',
    },
  },
  {
    about: 'a NUL',
    mail: newsletter({}, { body: whole.replace('Good evening', 'Good\0evening') }),
    states: { bare_newlines: 'fail 0' },
  },
  fields(
    'raw 8-bit text in Subject',
    { Subject: utf8('Fünf neue Bücher') },
    { eight_bit_headers: 'warn 0' },
  ),
  fields(
    'raw 8-bit text in Message-ID',
    { 'Message-ID': utf8('<grüße@example.com>') },
    { eight_bit_headers: 'warn 0' },
  ),
  {
    about: 'raw text in Subject by right of SMTPUTF8',
    mail: newsletter({ Subject: utf8('Fünf neue Bücher') }),
    from: { localPart: 'bounce', domain: 'example.com', smtputf8: true },
    states: {},
  },
  fields('a broken encoded-word', { Subject: '=?UTF-8?B?###?=' }, { eight_bit_headers: 'warn 0' }),
  fields('the program that wrote it', { 'X-Mailer': 'Shop Mailer 2.1' }, {}),
  fields('an encoded Subject', { Subject: '=?UTF-8?Q?F=C3=BCnf_B=C3=BCcher?=' }, {}),
  date('no Date', null, 'fail 0'),
  date('a Date that cannot be read', 'yesterday', 'fail 0'),
  date('a Date two days late', 'Wed, 18 Nov 2026 10:00:00 +0000', 'warn 1'),
  date('an obsolete zone', 'Fri, 20 Nov 2026 05:00:00 EST', 'warn 1'),
  date('GMT for a zone', 'Fri, 20 Nov 2026 10:00:00 GMT', 'info 2'),
  date('a Date an hour ahead', 'Fri, 20 Nov 2026 11:00:00 +0000', 'info 2'),
  date('a Date four minutes ahead', 'Fri, 20 Nov 2026 11:04:00 +0100'),
  id('no Message-ID', null, 'fail 0'),
  id('a Message-ID without brackets', 'b1@example.com', 'warn 1'),
  id('a Message-ID of localhost', '<b1@localhost>', 'warn 1'),
  id('a Message-ID of .local', '<b1@shop.local>', 'warn 1'),
  id('a Message-ID of one label', '<b1@mail>', 'warn 1'),
  id('a Message-ID of an IP', '<b1@[192.0.2.25]>', 'warn 1'),
  id('a Message-ID of somebody else', '<b1@elsewhere.example.org>', 'info 2'),
  fields('no To and no Cc', { To: null }, { to_header: 'warn 0' }),
  fields('undisclosed recipients', { To: 'undisclosed-recipients:;' }, { to_header: 'warn 0' }),
  fields('another address in To', { To: 'list@example.com' }, { to_header: 'warn 0' }),
  fields('the address in Cc', { To: 'list@example.com', Cc: TO }, {}),
  subject('no Subject', null, 'warn 0'),
  subject('an empty Subject', '', 'warn 0'),
  subject('a Subject in capitals', 'FIVE NEW BOOKS', 'warn 1'),
  subject('three exclamation marks', 'Five new books!!!', 'warn 1'),
  subject('a false reply', 'Re: five new books', 'warn 1'),
  subject('a false forward', 'Fwd: five new books', 'warn 1'),
  subject(
    '71 characters',
    `Five new books for long evenings,\r\n and more${' words'.repeat(5)}`,
    'info 2',
  ),
  subject('a space at the end', 'Five new books ', 'info 2'),
  fields('a true reply', { Subject: 'Re: five new books', References: '<a@example.com>' }, {}),
  charset('8-bit text without charset', as8bit(textPart(utf8(`${WORDS} Größe`), 'text/plain'))),
  charset('an unknown charset', textPart(WORDS, 'text/plain; charset=klingon')),
  charset('bytes that are not of the charset', as8bit(textPart(`${WORDS} Gr\xf6\xdfe`))),
];
