/** Cases of complete emails with various MIME structures, lines and encodings. */

import { base64, utf8 } from '../../mail/mails.ts';
import type { Case, State } from '../case.ts';
import { newsletter, parts, textPart, WORDS, withFiles } from '../mails.ts';
import { fields } from './headers.ts';

/** Without HTML and links, nothing about them can be judged. */
const noBody = {
  active_content: 'left out',
  body_unsubscribe: 'absent',
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

/** The states of an email with text only, and a link in it. */
const onlyLink = {
  active_content: 'left out',
  body_unsubscribe: 'absent',
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

/** Returns the text in base64, with this many octets per line. */
const encoded = (more: string, octets: number): string => {
  const plain = Buffer.from(`${text.slice(text.indexOf('\r\n\r\n') + 4)}${more}`, 'latin1');
  const lines = plain.toString('base64').match(new RegExp(`.{1,${(octets / 3) * 4}}`, 'g')) ?? [];
  return `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${lines.join('\r\n')}`;
};

const amp = 'Content-Type: text/x-amp-html\r\n\r\n<!doctype html><html amp4email></html>';

const as8bit = (entity: string) =>
  entity.replace('\r\n\r\n', '\r\nContent-Transfer-Encoding: 8bit\r\n\r\n');

const withLine = (octets: number) =>
  whole.replace('Unsubscribe: ', `${'word '.repeat(octets).slice(0, octets - 1)}.\r\n$&`);

const nested = (depth: number): string =>
  depth === 0
    ? text
    : `Content-Type: multipart/mixed; boundary="n${depth}"\r\n\r\n--n${depth}\r\n${nested(depth - 1)}\r\n--n${depth}--`;

const charset = (about: string, entity: string): Case =>
  body(about, parts([entity, html]), { charset_declared: 'wrong' });

/** Cases of how an email is assembled: its parts, lines and encodings. */
export const structureCases: readonly Case[] = [
  structure('no closing boundary', whole.replace('--b1--', ''), 'broken'),
  structure(
    'an unknown transfer encoding',
    parts([text.replace('\r\n\r\n', '\r\nContent-Transfer-Encoding: zip\r\n\r\n'), html]),
    'broken',
  ),
  structure(
    'a part that cannot be decoded',
    parts([
      text,
      `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n####`,
      html,
    ]),
    'broken',
  ),
  {
    about: 'no boundary parameter',
    mail: newsletter({ 'Content-Type': 'multipart/alternative' }),
    states: { mime_structure: 'broken', ...noBody, text_alternative: 'left out' },
  },
  {
    about: 'a declared boundary that does not match the one between the parts',
    mail: newsletter({ 'Content-Type': 'multipart/alternative; boundary="b2"' }),
    states: { mime_structure: 'broken', ...noBody, text_alternative: 'left out' },
  },
  {
    about: 'an empty body',
    mail: newsletter({ 'Content-Type': 'text/plain; charset=utf-8' }, { body: '\r\n' }),
    states: { mime_structure: 'broken', ...noBody },
  },
  {
    about: 'an address and no word',
    mail: newsletter(
      { 'Content-Type': 'text/plain; charset=utf-8' },
      { body: 'https://www.example.com/u/1\r\n' },
    ),
    states: onlyLink,
  },
  structure('html before text', parts([html, text]), 'doubtful'),
  structure('html before AMP', parts([text, html, amp]), 'doubtful'),
  structure(
    '8-bit text said to be 7bit',
    parts([textPart(utf8(`${WORDS} Größe`)), html]),
    'doubtful',
  ),
  structure(
    'a part without the semicolon before its charset',
    parts([text.replace('text/plain;', 'text/plain'), html]),
    'doubtful',
  ),
  structure('eleven levels', parts([nested(10), html]), 'doubtful'),
  fields('no MIME-Version', { 'MIME-Version': null }, { mime_structure: 'doubtful' }),
  fields('another MIME-Version', { 'MIME-Version': '2.0' }, { mime_structure: 'doubtful' }),
  fields('a line that is no field', { 'X-Note': 'a\r\nnote' }, { mime_structure: 'broken' }),
  fields(
    'text and HTML as two parts of one email',
    { 'Content-Type': 'multipart/mixed; boundary="b1"' },
    { mime_structure: 'doubtful' },
  ),
  structure(
    'a line of base64 that is too long',
    parts([encoded(utf8('Größe'), 57 * 2), html]),
    'doubtful',
  ),
  structure(
    'a part declared as binary',
    parts([text.replace('\r\n\r\n', '\r\nContent-Transfer-Encoding: binary\r\n\r\n'), html]),
    'binary_encoding',
  ),
  fields('a space before a colon', { 'X-Note ': 'a' }, { mime_structure: 'doubtful' }),
  structure(
    'HTML code in the text',
    parts([
      textPart(
        `<p>${WORDS} Unsubscribe: https://www.example.com/u/1 https://www.example.com/books</p>`,
      ),
      html,
    ]),
    'doubtful',
  ),
  {
    about: 'an HTML page declared as text',
    mail: newsletter(
      { 'Content-Type': 'text/plain; charset=utf-8' },
      { body: '<html><body>New books: https://www.example.com/u/1 </body></html>\r\n' },
    ),
    states: { ...onlyLink, mime_structure: 'broken' },
  },
  structure('base64 around ASCII', parts([encoded('', 57), html]), 'needless_base64'),
  {
    about: 'a file that does not say that it is one',
    mail: withFiles('Content-Type: application/octet-stream\r\n\r\nx'),
    states: { mime_structure: 'doubtful', attachment_types: 'harmless' },
  },
  body('a line of 999 octets', withLine(999), { line_length: 'too_long' }),
  fields(
    'a header line of 999 octets',
    { 'X-Note': 'w'.repeat(999 - 'X-Note: '.length) },
    { line_length: 'too_long' },
  ),
  {
    about: 'a bare LF',
    alter: (mail) => mail.replace('Good evening, winter', 'Good evening,\nwinter'),
    // The part is inserted after signing.
    states: {
      bare_newlines: 'present',
      dkim_valid: 'none_valid',
      dmarc_alignment: 'spf_only',
      one_click_signed: 'unsigned',
    },
  },
  {
    about: 'a NUL',
    mail: newsletter({}, { body: whole.replace('Good evening', 'Good\0evening') }),
    states: { bare_newlines: 'present' },
  },
  charset('8-bit text without charset', as8bit(textPart(utf8(`${WORDS} Größe`), 'text/plain'))),
  charset('an unknown charset', textPart(WORDS, 'text/plain; charset=klingon')),
  charset('bytes that are not of the charset', as8bit(textPart(`${WORDS} Gr\xf6\xdfe`))),
  charset(
    'UTF-16',
    `Content-Type: text/plain; charset=utf-16\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(Buffer.from(`\ufeff${WORDS}`, 'utf16le'))}`,
  ),
  charset(
    'UTF-8 declared as Latin-1',
    as8bit(textPart(utf8(`${WORDS} Größe`), 'text/plain; charset=iso-8859-1')),
  ),
  charset('text converted to UTF-8 twice', as8bit(textPart(utf8(`${WORDS} GrÃ¶ÃŸe, schÃ¶n`)))),
  charset('lost letters', as8bit(textPart(utf8(`${WORDS} Gr\ufffd\ufffde`)))),
];
