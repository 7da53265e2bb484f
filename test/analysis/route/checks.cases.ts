/** Cases for each state of the checks on the route of an email. */

import type { Facts } from '../../../src/analysis/facts.ts';
import { unknown } from '../../../src/analysis/lookup-result.ts';
import type { Hop, RouteFacts } from '../../../src/analysis/route/facts.ts';
import type { Part } from '../../support/mail/facts.ts';
import type { Case } from '../case.ts';

/**
 * Returns the hop of `Received: from app.example.com (…) by mail.example.com with ESMTPS` at a time on the
 * day of arrival.
 */
const hop = (time: string | null, part: Partial<Hop> = {}): Hop => ({
  from: 'app.example.com',
  from_kind: 'server',
  by: 'mail.example.com',
  protocol: 'ESMTPS',
  encrypted: true,
  tls_version: null,
  at: time === null ? null : `2026-11-20T${time}.000Z`,
  crossesInternet: true,
  authenticated: false,
  impossible: null,
  ...part,
});

const route = (hops: readonly Hop[], part: Partial<RouteFacts> = {}): Part<Facts> => ({
  route: { value: { hops, total: hops.length, ...part } },
});
const foreign = { by: 'mx.list.example' };
const circle = [
  hop('11:59:00'),
  hop('11:59:10', { from: 'mail.example.com', by: 'app.example.com' }),
];
const lost = { route: unknown('worker: no content part') };
const named = (falseMailer: string | null): Part<Facts> => ({
  headers: { value: { mailer: 'Microsoft Outlook' } },
  ...route([], { falseMailer }),
});

export const routeCases: readonly Case[] = [
  ['received_chain', 'left out'],
  ['received_chain', 'unknown', lost],
  ['received_chain', 'pass 0', route([hop('12:00:00')])],
  ['received_chain', 'warn 2', route([hop('12:00:00')], { namesUs: true })],
  [
    'received_chain',
    'pass 0',
    route([hop('12:00:00')], { namesUs: true }),
    { connection: { tls: { status: 'not_observable' } } },
  ],
  ['received_chain', 'pass 0', route([hop('12:00:00')], { total: 25 })],
  ['received_chain', 'warn 2', route([hop('12:00:00')], { total: 26 })],
  ['received_chain', 'pass 0', route(circle)],
  ['received_chain', 'info 0 suggest', route([...circle, hop('12:00:00')])],
  // A filter on the same server adds such a hop.
  [
    'received_chain',
    'pass 0',
    route([
      hop('11:59:00', { from: 'mail.example.com' }),
      hop('12:00:00', { from: 'mail.example.com' }),
    ]),
  ],
  ['received_chain', 'info 0', route([hop('12:00:00', { impossible: 'address' })])],
  ['received_chain', 'info 0', route([hop(null, { impossible: 'date' })])],

  ['received_times', 'left out'],
  ['received_times', 'left out', route([hop(null)])],
  ['received_times', 'pass 0', route([hop('11:59:58'), hop('12:00:00')])],
  ['received_times', 'pass 0', route([hop('12:05:01')])],
  ['received_times', 'info 0 suggest', route([hop('12:05:02')])],
  ['received_times', 'info 0', route([hop('12:05:02', foreign)])],
  ['received_times', 'pass 0', route([hop('11:59:00'), hop('11:54:00')])],
  ['received_times', 'info 0 suggest', route([hop('11:59:00'), hop('11:53:59')])],
  ['received_times', 'info 0 suggest', route([hop('11:59:00', foreign), hop('11:53:59')])],
  ['received_times', 'info 0', route([hop('11:59:00', foreign), hop('11:53:59', foreign)])],
  ['received_times', 'pass 0', route([hop('10:00:00'), hop('11:00:00')])],
  ['received_times', 'info 0 suggest', route([hop('10:00:00'), hop('11:00:01')])],
  // The email was held by someone else, or on its route to this service, which may have asked the sender to
  // try again.
  ['received_times', 'pass 0', route([hop('10:00:00', foreign), hop('11:00:01')])],
  ['received_times', 'pass 0', route([hop('08:00:00')])],

  ['received_tls', 'left out'],
  ['received_tls', 'pass 0', route([hop('12:00:00')])],
  ['received_tls', 'left out', route([hop('12:00:00', foreign)])],
  [
    'received_tls',
    'left out',
    route([hop('12:00:00', { encrypted: false, crossesInternet: false })]),
  ],
  ['received_tls', 'info 0 suggest', route([hop('12:00:00', { encrypted: false })])],
  [
    'received_tls',
    'info 0 suggest',
    route([hop('12:00:00', { encrypted: false, authenticated: true })]),
  ],

  ['mailer_claim', 'left out'],
  ['mailer_claim', 'pass 0', named(null)],
  ['mailer_claim', 'warn 6', named('Microsoft Outlook')],
];
