/** Tests how the doctor judges what it finds. */

import { expect, test } from 'vitest';
import { findDisagreement, type NodeLook } from '../../../src/domain/node-needs.ts';
import type { Diagnosis } from '../../../src/operator/doctor/diagnosis.ts';
import {
  judgeAddress,
  judgeBlocklist,
  judgeMx,
  judgePtr,
} from '../../../src/operator/doctor/judge-dns.ts';
import { judgeFilter } from '../../../src/operator/doctor/judge-filter.ts';
import {
  judgeClock,
  judgeDisk,
  judgeGreeting,
  judgeStore,
  judgeSync,
  judgeTlsCertificate,
} from '../../../src/operator/doctor/judge-machine.ts';
import {
  judgeAgreement,
  judgeAsset,
  judgeFacilitator,
  judgeFunds,
  judgeNode,
} from '../../../src/operator/doctor/judge-money.ts';
import { judgeRelays } from '../../../src/operator/doctor/judge-relays.ts';
import type { DnsAnswer } from '../../../src/ports/dns.ts';
import type { FilterAnswer } from '../../../src/ports/filters.ts';

const found = <R>(...records: R[]): DnsAnswer<R> => ({ status: 'found', records, cnames: [] });
const none: DnsAnswer<never> = { status: 'nodata', cnames: [] };
const silent: DnsAnswer<never> = { status: 'failed', error: 'TIMEOUT' };
const mx = (exchange: string) => found({ preference: 10, exchange });

const DAY = 86_400_000;
const GIB = 2 ** 30;
const NOW = Date.UTC(2026, 10, 20);
const inDays = (days: number, coversHost = true) => ({ validTo: NOW + days * DAY, coversHost });

const judgeRelay = (...xforward: readonly string[]) => {
  const [diagnosis, ...others] = judgeRelays({ xclient: [], xforward, proxy: [] });
  if (!diagnosis || others.length > 0) throw new Error('One diagnosis was expected.');
  return diagnosis;
};

/** Returns a node that meets every requirement, except for this change. */
const aNode = (change: Partial<NodeLook> | { readonly outage: string }) => {
  const network = 'eip155:8453';
  const good = { network, head: 7_200, time: 1_000, range: 900, hasHistory: true };
  return judgeNode('X402_RPC_URL', { ...good, ...change }, { network, now: 1_000 });
};

const answer: FilterAnswer = {
  ...{ version: '3.4', score: 1, threshold: 15, action: 'no_action' },
  rules: [],
};

const HOST = 'mx.example.net';

const table: readonly (readonly [string, Diagnosis, Diagnosis['level'], RegExp])[] = [
  ['MX to us', judgeMx('in.example', HOST, mx(`${HOST}.`)), 'ok', /mx\.example\.net/],
  ['MX elsewhere', judgeMx('in.example', HOST, mx('other.example')), 'warn', /not mx\.example/],
  ['no MX', judgeMx('in.example', HOST, none), 'fail', /none/],
  ['DNS silent', judgeMx('in.example', HOST, silent), 'fail', /TIMEOUT/],
  ['an address', judgeAddress(HOST, [none, found('2001:db8::1')]), 'ok', /2001:db8::1/],
  ['no address', judgeAddress(HOST, [none, none]), 'fail', /none/],
  ['address unknown', judgeAddress(HOST, [none, silent]), 'fail', /no answer/],
  ['PTR to us', judgePtr('192.0.2.1', HOST, found('MX.example.net.')), 'ok', /mx/],
  ['PTR elsewhere', judgePtr('192.0.2.1', HOST, found('host.isp.example')), 'warn', /isp/],
  ['no PTR', judgePtr('192.0.2.1', HOST, none), 'warn', /none/],
  ['list answers', judgeBlocklist('bl.example', found('127.0.0.2')), 'ok', /answers/],
  ['list refuses', judgeBlocklist('bl.example', none), 'warn', /refuses/],
  ['own nats', judgeSync('own'), 'ok', /syncs/],
  ['nats syncs', judgeSync('always'), 'ok', /syncs/],
  ['nats is late', judgeSync('delayed'), 'fail', /can lose/],
  ['nats is opaque', judgeSync('unknown'), 'warn', /could not be checked/],
  [
    'a filter',
    judgeFilter('rspamd', { answer, milliseconds: 40 }),
    'ok',
    /rspamd 3\.4 responds after 40 ms; could not check whether it logs, stores, learns/,
  ],
  ['a slow filter', judgeFilter('rspamd', { answer, milliseconds: 2000 }), 'warn', /2000 ms/],
  [
    'no filter',
    judgeFilter('spamassassin', { fault: 'connect ECONNREFUSED' }),
    'fail',
    /ECONNREFUSED; reports say/,
  ],
  ['nats is away', judgeSync('away'), 'fail', /does not answer/],
  ['we greet', judgeGreeting('192.0.2.1', HOST, `220 ${HOST} ESMTP`, false), 'ok', /router/],
  [
    'we greet ourselves',
    judgeGreeting('::1', HOST, `220 ${HOST} ESMTP`, true),
    'ok',
    /greets this machine; to test what is in front/,
  ],
  ['another greets', judgeGreeting('192.0.2.1', HOST, '220 isp.example', true), 'warn', /another/],
  [
    'a server in front greets',
    judgeGreeting('192.0.2.1', HOST, '220 mx.example', true, true),
    'ok',
    /pass emails on/,
  ],
  [
    'no server in front',
    judgeGreeting('192.0.2.1', HOST, '554 mx.example', true, true),
    'warn',
    /another/,
  ],
  ['relays', judgeRelay('10.0.0.0/24', '2001:db8::/64'), 'ok', /10\.0\.0\.0\/24.+with XFORWARD/],
  [
    'a wide range',
    judgeRelay('127.0.0.1/32', '10.0.0.0/8'),
    'warn',
    /^anyone in 10\.0\.0\.0\/8 may/,
  ],
  ['a wide range of IPv6', judgeRelay('::/0'), 'warn', /any address/],
  ['nobody greets', judgeGreeting('192.0.2.1', HOST, null, false), 'warn', /nothing answers/],
  ['clock right', judgeClock(-5), 'ok', /within 5 s/],
  ['clock ahead', judgeClock(6), 'fail', /6 s ahead of/],
  ['clock behind', judgeClock(-60), 'fail', /60 s behind/],
  ['clock unknown', judgeClock(null), 'warn', /did not say what time/],
  ['disk large enough', judgeDisk(10 * GIB, 10 * GIB), 'ok', /10\.0 GiB is free/],
  ['disk too small', judgeDisk(GIB, 10 * GIB), 'warn', /1\.0 GiB is free/],
  ['disk unknown', judgeDisk(null, GIB), 'fail', /cannot be read/],
  ['store without a limit', judgeStore(-1, GIB), 'ok', /no limit/],
  ['store large enough', judgeStore(GIB, GIB), 'ok', /1\.0 GiB/],
  ['store too small', judgeStore(GIB, 2 * GIB), 'fail', /need 2\.0 GiB/],
  ['store unknown', judgeStore(null, GIB), 'warn', /cannot be read/],
  ['asset takes payments', judgeAsset(undefined), 'ok', /paid/],
  ['asset is paused', judgeAsset('It is paused.'), 'fail', /paused/],
  ['asset unknown', judgeAsset(null), 'fail', /no answer/],
  ['node follows', aNode({ time: 940 }), 'ok', /60 s old.*900 blocks/],
  ['node is behind', aNode({ time: 939 }), 'fail', /61 s old/],
  ['node silent', aNode({ outage: 'ECONNREFUSED' }), 'fail', /X402_RPC_URL node does not respond/],
  [
    'node of another chain',
    aNode({ network: 'eip155:1' }),
    'fail',
    /eip155:1, not on X402_NETWORK/,
  ],
  ['node grants few blocks', aNode({ range: 179 }), 'fail', /179 blocks.*at least 180/],
  ['node grants enough', aNode({ range: 180 }), 'ok', /180 blocks/],
  ['node forgets', aNode({ hasHistory: false }), 'fail', /last 3600 blocks/],
  ['nodes agree', judgeAgreement(undefined), 'ok', /same blocks/],
  ['nodes differ', judgeAgreement(findDisagreement([1, 32], [])), 'fail', /31 blocks apart/],
  ['no certificate', judgeTlsCertificate(null, HOST, NOW), 'warn', /self-signed/],
  ['bad certificate', judgeTlsCertificate('unreadable', HOST, NOW), 'fail', /cannot be read/],
  ['14 days', judgeTlsCertificate(inDays(14), HOST, NOW), 'ok', /14 more days/],
  ['13 days', judgeTlsCertificate(inDays(13), HOST, NOW), 'warn', /13 more days/],
  ['last day', judgeTlsCertificate(inDays(0), HOST, NOW), 'warn', /0 more days/],
  ['expired', judgeTlsCertificate(inDays(-1), HOST, NOW), 'fail', /expired/],
  ['for another host', judgeTlsCertificate(inDays(90, false), HOST, NOW), 'warn', /not for/],
  ['200 settlements', judgeFunds(200), 'ok', /200/],
  ['199 settlements', judgeFunds(199), 'warn', /199/],
  ['5 settlements', judgeFunds(5), 'warn', /5/],
  ['4 settlements', judgeFunds(4), 'fail', /nothing is sold/],
  ['balance unknown', judgeFunds(null), 'fail', /cannot be read/],
  ['facilitator serves', judgeFacilitator(true, 'eip155:8453'), 'ok', /eip155:8453/],
  ['facilitator does not', judgeFacilitator(false, 'eip155:8453'), 'fail', /does not settle/],
  ['facilitator silent', judgeFacilitator(null, 'eip155:8453'), 'fail', /does not answer/],
];

test.each(table)('%s', (_name, finding, level, detail) => {
  expect(finding.level).toBe(level);
  expect(finding.detail).toMatch(detail);
});

test('every result that is not ok says what to do, and no other does', () => {
  for (const [name, { level, advice }] of table)
    expect(advice === undefined, name).toBe(level === 'ok');
});

test('if the resolver does not answer, nothing is said about the records', () => {
  for (const { advice } of [
    judgeMx('example.com', HOST, silent),
    judgeAddress(HOST, [silent, silent]),
    judgePtr('192.0.2.1', HOST, silent),
    judgeBlocklist('a list', silent),
  ])
    expect(advice).toBe('Set DNS_SERVERS to a resolver that answers, then run this again.');
});
