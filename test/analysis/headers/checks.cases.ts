/** Cases for each state of the checks on header fields. */

import type { DmarcFacts } from '../../../src/analysis/dmarc/facts.ts';
import type { Facts, HeaderFacts } from '../../../src/analysis/facts.ts';
import { unknown } from '../../../src/analysis/lookup-result.ts';
import type { Part } from '../../support/mail/facts.ts';
import type { Case } from '../case.ts';

const headers = (value: Part<HeaderFacts>): Part<Facts> => ({ headers: { value } });
const dmarc = (value: Part<DmarcFacts>): Part<Facts> => ({ dmarc: { value } });
const lost = { headers: unknown('worker: no content part') };
const noFrom = headers({ from: { fault: 'missing' } });
const subject = (part: Part<HeaderFacts['subject']>) => headers({ subject: part });
const date = (part: Part<HeaderFacts['date']>) => headers({ date: part });
const freemail = headers({ from: { freemail: true } });
const unaligned = dmarc({ spfAligned: false, dkimAligned: false });

export const headerCases: readonly Case[] = [
  ['from_header', 'pass 0'],
  ['from_header', 'warn 6', headers({ from: { oddities: ['raw_8bit'] } })],
  ['from_header', 'warn 6', headers({ from: { oddities: ['dot_at_end'] } })],
  ['from_header', 'warn 6', headers({ from: { oddities: ['route'] } })],
  ['from_header', 'warn 6', headers({ from: { oddities: ['group'] } })],
  ['from_header', 'fail 10', headers({ from: { oddities: ['raw_8bit', 'authors'] } })],
  ['from_header', 'fail 30', noFrom],
  ['from_header', 'unknown', lost],

  ['duplicate_headers', 'pass 0'],
  ['duplicate_headers', 'fail 10', headers({ duplicates: ['Subject'] })],

  ['eight_bit_headers', 'pass 0'],
  ['eight_bit_headers', 'info 0 suggest', headers({ eightBit: { needlessWords: ['Subject'] } })],
  ['eight_bit_headers', 'warn 3', headers({ eightBit: { raw: true } })],
  ['eight_bit_headers', 'warn 3', headers({ eightBit: { brokenEncodedWords: true } })],

  ['date_header', 'pass 0', date({ skewSeconds: -300 })],
  ['date_header', 'info 0 suggest', date({ skewSeconds: 301 })],
  ['date_header', 'info 0 suggest', date({ skewSeconds: -86_400 })],
  ['date_header', 'warn 4', date({ skewSeconds: -86_401 })],
  ['date_header', 'warn 4', date({ obsoleteZone: 'other' })],
  ['date_header', 'info 0 suggest', date({ obsoleteZone: 'utc' })],
  ['date_header', 'warn 4', date({ weekdayFault: 'no_day' })],
  ['date_header', 'info 0 suggest', date({ weekdayFault: 'wrong' })],
  ['date_header', 'info 0 suggest', date({ shortHour: true })],
  ['date_header', 'fail 6', date({ state: 'missing', skewSeconds: null })],
  ['date_header', 'fail 6', date({ state: 'unparsable', skewSeconds: null })],

  ['message_id', 'pass 0'],
  ['message_id', 'info 0 suggest', headers({ messageId: { related: false } })],
  ['message_id', 'warn 2', headers({ messageId: { syntaxOk: false } })],
  ['message_id', 'warn 2', headers({ messageId: { domainOdd: true } })],
  ['message_id', 'warn 2', headers({ messageId: { syntaxOk: false, domainOdd: true } })],
  ['message_id', 'warn 2', headers({ messageId: { syntaxOk: false, domain: null } })],
  ['message_id', 'warn 2', headers({ messageId: { domainOdd: true, domain: null } })],
  [
    'message_id',
    'fail 6',
    headers({ messageId: { syntaxOk: false, domainOdd: true, domain: null } }),
  ],
  ['message_id', 'fail 6', headers({ messageId: { count: 0 } })],
  ['message_id', 'fail 6', headers({ messageId: { count: 2 } })],

  ['to_header', 'pass 0'],
  ['to_header', 'warn 3', headers({ to: { present: false } })],
  ['to_header', 'warn 3', headers({ to: { undisclosed: true } })],
  ['to_header', 'warn 3', headers({ to: { testAddressFound: false } })],
  ['to_header', 'warn 3', headers({ to: { bcc: true } })],
  ['to_header', 'warn 2', headers({ to: { emptyElements: true } })],
  ['to_header', 'pass 0', headers({ to: { testAddressFound: false, forwarded: true } })],
  [
    'to_header',
    'pass 0',
    headers({ to: { testAddressFound: false }, classification: { class: 'discussion_list' } }),
  ],

  ['subject_header', 'pass 0', subject({ length: 70, exclamations: 2 })],
  ['subject_header', 'info 0 suggest', subject({ length: 71 })],
  ['subject_header', 'info 0 suggest', subject({ edgeSpaces: true })],
  ['subject_header', 'warn 2', subject({ exclamations: 3 })],
  ['subject_header', 'warn 2', subject({ allCapitals: true })],
  ['subject_header', 'warn 2', subject({ falseReply: true })],
  ['subject_header', 'pass 0', subject({ isForward: true })],
  ['subject_header', 'warn 2', headers({ subject: { isForward: true }, bulk: { isBulk: true } })],
  ['subject_header', 'warn 2', subject({ url: true })],
  ['subject_header', 'warn 4', subject({ state: 'missing' })],
  ['subject_header', 'warn 4', subject({ state: 'empty' })],

  ['from_display_name', 'pass 0'],
  ['from_display_name', 'info 0 suggest', headers({ from: { displayName: { present: false } } })],
  ['from_display_name', 'warn 5', headers({ from: { displayName: { faults: ['zero_width'] } } })],
  ['from_display_name', 'left out', noFrom],

  ['from_domain_freemail', 'pass 0'],
  ['from_domain_freemail', 'pass 0', unaligned],
  ['from_domain_freemail', 'info 0', freemail],
  ['from_domain_freemail', 'info 0', freemail, dmarc({ spfAligned: false })],
  ['from_domain_freemail', 'info 0 suggest', freemail, headers({ bulk: { mayBe: true } })],
  ['from_domain_freemail', 'fail 8', freemail, unaligned],
  ['from_domain_freemail', 'unknown', freemail, unaligned, dmarc({ decided: false })],
  ['from_domain_freemail', 'unknown', freemail, { dmarc: unknown('dns: TXT _dmarc: SERVFAIL') }],
  ['from_domain_freemail', 'left out', noFrom],

  ['from_domain_lookalike', 'pass 0'],
  ['from_domain_lookalike', 'info 0', headers({ from: { idn: 'single_script' } })],
  ['from_domain_lookalike', 'warn 14', headers({ from: { idn: 'suspicious' } })],

  ['reply_to', 'pass 0'],
  ['reply_to', 'pass 0', headers({ replyTo: { state: 'ok' } })],
  ['reply_to', 'info 0 suggest', headers({ from: { noReply: true } })],
  ['reply_to', 'info 0 suggest', headers({ replyTo: { state: 'ok', sameOrganization: false } })],
  ['reply_to', 'warn 3', headers({ replyTo: { state: 'unparsable' } })],
  [
    'reply_to',
    'info 0 suggest',
    headers({ replyTo: { state: 'ok', sameOrganization: false, freemail: true } }),
  ],
  ['reply_to', 'pass 0', freemail, headers({ replyTo: { state: 'ok', freemail: true } })],

  ['internal_headers_leak', 'pass 0'],
  ['internal_headers_leak', 'info 0 suggest', headers({ leaks: ['X-Originating-IP'] })],
];
