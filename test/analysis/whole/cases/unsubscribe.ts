/** Cases of complete emails with various ways to unsubscribe. */

import type { Case } from '../case.ts';
import { SIGNED, signature } from '../keys.ts';
import { type Fields, LINK, letter, newsletter, PICTURE, page, WORDS } from '../mails.ts';

const HTTPS = '<https://www.example.com/u/1>';
const MAILTO = '<mailto:u@example.com?subject=1>';
const POST = { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
const none = { 'List-Unsubscribe': null, 'List-Unsubscribe-Post': null };

const closed = {
  list_unsubscribe_syntax: 'left out',
  one_click: 'left out',
  one_click_signed: 'left out',
} as const;

const bulk = (about: string, value: string, more: Case['states'] = {}): Case => ({
  about: `bulk: ${about}`,
  mail: newsletter({ 'List-Unsubscribe': value }),
  states: { list_unsubscribe_syntax: 'faulty', ...more },
});

/** A case of a newsletter that only the headers required by receivers show to be one. */
const perhaps = (about: string, fields: Fields, states: Case['states']): Case => ({
  about: `perhaps bulk: ${about}`,
  mail: newsletter({ 'X-Campaign-ID': null, ...fields }),
  states: { preheader: 'left out', ...states },
});

const unsigned = signature({ h: SIGNED.filter((name) => name !== 'list-unsubscribe-post') });

const SILENT = page(`<p class="preheader">What we read.</p><p>${WORDS}</p>${PICTURE}${LINK}`);
const SILENT_TEXT = `${WORDS}\n\nhttps://www.example.com/books\n`;

export const unsubscribeCases: readonly Case[] = [
  {
    about: 'bulk without the header',
    mail: newsletter(none),
    states: { list_unsubscribe: 'absent', ...closed },
  },
  bulk('no brackets', 'https://www.example.com/u/1', {
    one_click: 'incomplete',
    one_click_signed: 'left out',
  }),
  bulk('encoded words', `=?utf-8?Q?=3Chttps=3A//www.example.com/u/1=3E?=`, {
    one_click: 'incomplete',
    one_click_signed: 'left out',
  }),
  bulk('a line that ends within an address', '<https://www.example.com/u?reader=\r\n 1>'),
  bulk('a wrong separator', `${HTTPS};\r\n ${MAILTO}`),
  bulk('a space in a URI', '<https://www.example.com/u 1>'),
  bulk('a URI without a scheme', `<unsubscribe@example.com>, ${HTTPS}`),
  bulk('http:// only', '<http://www.example.com/u/1>', {
    one_click: 'incomplete',
    one_click_signed: 'left out',
  }),
  ...['localhost', '192.168.1.20', 'lists.internal', 'mail', 'www.example.net'].map((host) => ({
    about: `bulk: an https URI at ${host}`,
    mail: newsletter({ 'List-Unsubscribe': `<https://${host}/u/1>` }),
    states: { one_click: 'unreachable', one_click_signed: 'left out' as const },
  })),
  bulk('two https URIs', `${HTTPS}, <https://www.example.com/u/2>`),
  bulk('a template placeholder', '<https://www.example.com/u/{{token}}>', {
    one_click: 'incomplete',
    one_click_signed: 'left out',
  }),
  {
    about: 'bulk: no https URI',
    mail: newsletter({ 'List-Unsubscribe': MAILTO }),
    states: { one_click: 'incomplete', one_click_signed: 'left out' },
  },
  {
    about: 'bulk: no List-Unsubscribe-Post',
    mail: newsletter({ 'List-Unsubscribe-Post': null }),
    states: { one_click: 'incomplete', one_click_signed: 'left out' },
  },
  {
    about: 'bulk: List-Unsubscribe-Post that says something else',
    mail: newsletter({ 'List-Unsubscribe-Post': 'yes' }),
    states: { one_click: 'incomplete', one_click_signed: 'left out' },
  },
  {
    about: 'bulk: List-Unsubscribe-Post twice',
    mail: newsletter({
      'List-Unsubscribe-Post': ['List-Unsubscribe=One-Click', 'List-Unsubscribe=One-Click'],
    }),
    states: { one_click: 'incomplete', one_click_signed: 'left out' },
  },
  {
    about: 'bulk: List-Unsubscribe-Post not signed',
    signatures: [unsigned],
    // These two are missing from the headers that every email should sign.
    states: { one_click_signed: 'unsigned' },
  },
  {
    about: 'bulk: no link in the body',
    mail: newsletter({}, { html: SILENT, text: SILENT_TEXT }),
    states: { body_unsubscribe: 'absent' },
  },
  perhaps('without the header', none, { list_unsubscribe: 'perhaps_needed', ...closed }),
  perhaps(
    'no List-Unsubscribe-Post',
    { 'List-Unsubscribe-Post': null },
    {
      one_click: 'perhaps_needed',
      one_click_signed: 'left out',
    },
  ),
  {
    ...perhaps('not signed', {}, { one_click_signed: 'unsigned_perhaps_bulk' }),
    signatures: [unsigned],
  },
  {
    about: 'perhaps bulk: no link in the body',
    mail: newsletter({ 'X-Campaign-ID': null }, { html: SILENT, text: SILENT_TEXT }),
    states: { preheader: 'left out', body_unsubscribe: 'perhaps_needed' },
  },
  {
    about: 'not bulk: http:// only',
    mail: letter({ 'List-Unsubscribe': '<http://www.example.com/u/1>', ...POST }),
    states: {
      list_unsubscribe: 'present',
      list_unsubscribe_syntax: 'faulty_not_bulk',
      one_click: 'not_needed',
    },
  },
];
