/** Cases for each state of the checks on ways to unsubscribe. */

import type { Facts, HeaderFacts } from '../../../src/analysis/facts.ts';
import { unknown } from '../../../src/analysis/lookup-result.ts';
import { bulkMail, type Part, signed } from '../../support/mail/facts.ts';
import type { Case } from '../case.ts';

type Header = HeaderFacts['listUnsubscribe'];
const header = (listUnsubscribe: Part<Header>): Part<Facts> => ({
  headers: { value: { listUnsubscribe } },
});
const present = header({ present: true, https: true, mailto: true, post: true });
const absent = header({ present: false, https: false, mailto: false, post: false });
const signedBy = (...signatures: ReturnType<typeof signed>[]): Part<Facts> => ({
  dkim: { value: { signatures, total: signatures.length } },
});
const uncovered = signed({ coversListUnsubscribePost: false });
const broken = signed({ report: { result: 'fail', reason: 'bad_signature' } });
const silent = signed({ report: { result: 'temperror', reason: 'dns' } });
const bulk = (part: Part<HeaderFacts['bulk']>): Part<Facts> => ({
  headers: { value: { bulk: part } },
});
const noLink: Part<Facts> = { content: { value: { content: { unsubscribe_link_found: false } } } };

/** A newsletter that is recognized only by its words and by what receivers require. */
const perhaps = bulk({ mayBe: true });

export const unsubscribeCases: readonly Case[] = [
  ['list_unsubscribe', 'pass 0', present],
  ['list_unsubscribe', 'info 0', absent],
  ['list_unsubscribe', 'info 0 suggest', perhaps, absent],
  ['list_unsubscribe', 'fail 12', bulkMail, absent],
  ['list_unsubscribe', 'unknown', { headers: unknown('worker: no content part') }],

  ['list_unsubscribe_syntax', 'pass 0', bulkMail],
  ['list_unsubscribe_syntax', 'info 0 suggest', present, header({ faults: ['http'] })],
  ['list_unsubscribe_syntax', 'warn 6', bulkMail, header({ faults: ['http'] })],

  ['one_click', 'pass 0', bulkMail],
  ['one_click', 'info 0', present, header({ post: false })],
  ['one_click', 'info 0', present, header({ https: false })],
  ['one_click', 'info 0 suggest', perhaps, present, header({ post: false })],
  ['one_click', 'info 0 suggest', perhaps, present, header({ https: false })],
  ['one_click', 'info 0 suggest', perhaps, present, header({ reachable: false })],
  ['one_click', 'fail 8', bulkMail, header({ post: false })],
  ['one_click', 'fail 8', bulkMail, header({ post: false, postFault: 'value' })],
  ['one_click', 'fail 8', bulkMail, header({ post: false, postFault: 'repeated' })],
  ['one_click', 'fail 8', bulkMail, header({ https: false })],
  ['one_click', 'fail 8', bulkMail, header({ reachable: false })],
  ['one_click', 'info 0', present, header({ reachable: false })],

  ['one_click_signed', 'pass 0', bulkMail],
  ['one_click_signed', 'info 0', present, signedBy(uncovered)],
  ['one_click_signed', 'info 0 suggest', perhaps, present, signedBy(uncovered)],
  ['one_click_signed', 'fail 8', bulkMail, signedBy(uncovered)],
  ['one_click_signed', 'fail 8', bulkMail, signedBy(uncovered, broken)],
  ['one_click_signed', 'fail 8', bulkMail, signedBy()],
  ['one_click_signed', 'unknown', bulkMail, signedBy(uncovered, silent)],
  ['one_click_signed', 'unknown', bulkMail, { dkim: unknown('dkim: a body line is too long') }],

  ['body_unsubscribe', 'pass 0', bulkMail],
  ['body_unsubscribe', 'info 0', noLink],
  ['body_unsubscribe', 'info 0 suggest', perhaps, noLink],
  ['body_unsubscribe', 'warn 11', bulkMail, noLink],

  ['bulk_markers', 'pass 0'],
  ['bulk_markers', 'pass 0', bulkMail],
  ['bulk_markers', 'info 0 suggest', bulk({ automated: true })],
  ['bulk_markers', 'pass 0', bulk({ automated: true, autoSubmitted: 'auto-generated' })],
  ['bulk_markers', 'info 0 suggest', bulk({ isBulk: true })],
  ['bulk_markers', 'info 0 suggest', bulk({ precedence: 'other' })],
];
