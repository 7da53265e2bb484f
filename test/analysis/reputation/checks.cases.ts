/** Cases for each state of the checks on blocklists, mail hosts (MX), MTA-STS and TLS-RPT. */

import type { Facts } from '../../../src/analysis/facts.ts';
import { known, unknown } from '../../../src/analysis/lookup-result.ts';
import type { MailHosts, MxHost } from '../../../src/analysis/names/facts.ts';
import type { AskedDomain } from '../../../src/analysis/reputation/facts.ts';
import type { Part } from '../../support/mail/facts.ts';
import type { Case } from '../case.ts';

const silent = unknown('dns: A 25.2.0.192.bl.spamcop.net: TIMEOUT');
const failing = (error: string) => unknown(`dns: MX example.com: ${error}`);
const listed: Part<Facts> = { connection: { spamcop: { value: 'listed' } } };
const pool = 'o1.ptr1.sendgrid.net';
const named = (...confirmedNames: string[]): Part<Facts> => ({
  connection: {
    ptr: known([pool]),
    forward: known({ addresses: {}, confirmed: confirmedNames.length > 0, confirmedNames }),
  },
});
const heloOf = (addresses: string[]): Part<Facts> => ({
  connection: { helo: pool, heloAddresses: known(addresses) },
});
const answer = (
  list: string,
  status: 'listed' | 'not_listed' | 'unavailable',
  ...codes: string[]
): NonNullable<Facts['connection']['dnsbls']>[number] => ({
  list,
  status,
  codes,
  removal_url: 'https://list.example/',
});
const dnsbls = (...all: ReturnType<typeof answer>[]): Part<Facts> => ({
  connection: { dnsbls: all },
});
const asked = (
  roles: AskedDomain['roles'],
  ...answers: ReturnType<typeof answer>[]
): Part<Facts> => ({ domainLists: [{ domain: 'shop.example', roles, answers }] });
const shared = (...answers: ReturnType<typeof answer>[]): Part<Facts> => ({
  domainLists: [{ domain: 'sendgrid.net', roles: ['link'], answers }],
});
const DBL = 'dbl.spamhaus.org';
const SURBL = 'multi.surbl.org';
const URIBL = 'multi.uribl.com';
const ZEN = 'zen.spamhaus.org';
const MAILSPIKE = 'bl.mailspike.net';
const nullMx = { names: { fromMx: { value: { mx: [], nullMx: true } } } } as const;
const envelope = (value: Partial<MailHosts>): Part<Facts> => ({ names: { envelopeMx: { value } } });
const lead = (value: Partial<MxHost>): Part<Facts> => ({
  names: { mxHosts: { 'mx.example.com': { value } } },
});
/** The envelope domain takes the place of an MX host. */
const itself = (address: string): Part<Facts> => ({
  names: {
    mxHosts: { 'example.com': known({ addresses: [address], alias: 'host.example.net' }) },
  },
});
const nowhere = known({ addresses: [], alias: null });
const two: Part<Facts> = {
  names: { fromMx: { value: { mx: ['mx.example.com', 'mx2.example.com'] } } },
};
const replyTo = (domain: string): Part<Facts> => ({
  headers: { value: { replyTo: { domain } } },
});

export const reputationCases: readonly Case[] = [
  ['spamcop_listed', 'pass 0'],
  ['spamcop_listed', 'fail 25', listed],
  ['spamcop_listed', 'fail 25', listed, named()],
  ['spamcop_listed', 'warn 4', listed, named(pool)],
  ['spamcop_listed', 'warn 4', listed, heloOf(['192.0.2.25'])],
  ['spamcop_listed', 'fail 25', listed, heloOf(['192.0.2.26'])],
  ['spamcop_listed', 'fail 25', listed, named('notsendgrid.net')],
  ['spamcop_listed', 'unknown', listed, { connection: { forward: silent } }],
  ['spamcop_listed', 'unknown', listed, heloOf([]), { connection: { heloAddresses: silent } }],
  ['spamcop_listed', 'unknown', { connection: { spamcop: silent } }],
  ['spamcop_listed', 'left out', { connection: { spamcop: known('not_applicable') } }],

  ['from_domain_mx', 'pass 0'],
  ['from_domain_mx', 'fail 10', { names: { fromDomainExists: known(false) } }],
  ['from_domain_mx', 'warn 3', { names: { fromMx: { value: { mx: [] } } } }, itself('192.0.2.26')],
  ['from_domain_mx', 'warn 3', nullMx],
  ['from_domain_mx', 'warn 3', nullMx, replyTo('example.com')],
  ['from_domain_mx', 'pass 0', nullMx, replyTo('replies.example.com')],
  ['from_domain_mx', 'unknown', nullMx, { headers: silent }],
  ['from_domain_mx', 'unknown', { names: { fromDomainExists: silent } }],
  ['from_domain_mx', 'fail 10', { names: { fromMx: failing('SERVFAIL') } }],
  ['from_domain_mx', 'fail 10', { names: { fromDomainExists: failing('BOGUS') } }],
  ['from_domain_mx', 'unknown', { names: { fromMx: silent } }],
  ['from_domain_mx', 'warn 3', lead({ addresses: [] })],
  ['from_domain_mx', 'warn 3', lead({ addresses: ['10.0.0.1', '::1'] })],
  ['from_domain_mx', 'warn 3', { names: { fromMx: { value: { mx: ['192.0.2.26'] } } } }],
  ['from_domain_mx', 'warn 1', two, { names: { mxHosts: { 'mx2.example.com': nowhere } } }],
  ['from_domain_mx', 'pass 0', two, { names: { mxHosts: { 'mx2.example.com': silent } } }],
  ['from_domain_mx', 'pass 0', two],
  ['from_domain_mx', 'info 0 suggest', lead({ alias: 'host.example.net' })],
  ['from_domain_mx', 'unknown', { names: { mxHosts: { 'mx.example.com': silent } } }],
  ['from_domain_mx', 'unknown', two, lead({ addresses: [] })],
  ['from_domain_mx', 'left out', { names: { fromDomain: null } }],

  ['domain_listed', 'info 0'],
  ['domain_listed', 'left out', { domainLists: [] }],
  ['domain_listed', 'unknown', { domainLists: null }],
  ['domain_listed', 'unknown', asked(['from'], answer(DBL, 'unavailable', '127.255.255.254'))],
  ['domain_listed', 'pass 0', asked(['from'], answer(DBL, 'not_listed'))],
  [
    'domain_listed',
    'pass 0',
    asked(['from'], answer(DBL, 'unavailable'), answer(SURBL, 'not_listed')),
  ],
  ...(['from', 'envelope', 'dkim', 'link'] as const).flatMap((role): readonly Case[] => [
    ['domain_listed', 'fail 25', asked([role], answer(DBL, 'listed', '127.0.1.4'))],
    ['domain_listed', 'warn 4', asked([role], answer(DBL, 'listed', '127.0.1.104'))],
    ['domain_listed', 'fail 25', asked(['name_server', role], answer(DBL, 'listed', '127.0.1.2'))],
  ]),
  ['domain_listed', 'info 0', asked(['name_server'], answer(DBL, 'listed', '127.0.1.2'))],
  ['domain_listed', 'warn 4', shared(answer(DBL, 'listed', '127.0.1.2'))],
  ['domain_listed', 'fail 25', asked(['link'], answer(SURBL, 'listed', '127.0.0.72'))],
  ['domain_listed', 'warn 4', asked(['link'], answer(SURBL, 'listed', '127.0.0.64'))],
  ['domain_listed', 'warn 4', asked(['link'], answer(URIBL, 'listed', '127.0.0.2'))],
  ['domain_listed', 'pass 0', asked(['link'], answer(URIBL, 'not_listed'))],

  ['dnsbl_listed', 'left out'],
  ['dnsbl_listed', 'pass 0', dnsbls(answer(ZEN, 'not_listed'))],
  ['dnsbl_listed', 'pass 0', dnsbls(answer(ZEN, 'unavailable'), answer(MAILSPIKE, 'not_listed'))],
  ['dnsbl_listed', 'unknown', dnsbls(answer(ZEN, 'unavailable', '127.255.255.254'))],
  ['dnsbl_listed', 'fail 25', dnsbls(answer(ZEN, 'listed', '127.0.0.3'))],
  ['dnsbl_listed', 'fail 25', dnsbls(answer(ZEN, 'listed', '127.0.0.10', '127.0.0.99'))],
  ['dnsbl_listed', 'warn 4', dnsbls(answer(MAILSPIKE, 'listed', '127.0.0.12'))],
  ['dnsbl_listed', 'warn 4', dnsbls(answer(ZEN, 'listed', '127.0.0.2')), named(pool)],

  ['envelope_domain_mx', 'pass 0'],
  ['envelope_domain_mx', 'pass 0', envelope({ mx: [] }), itself('192.0.2.26')],
  ['envelope_domain_mx', 'fail 10', envelope({ mx: [] }), itself('10.0.0.1')],
  ['envelope_domain_mx', 'unknown', envelope({ mx: [] })],
  ['envelope_domain_mx', 'fail 10', envelope({ mx: [], hasAddress: false })],
  ['envelope_domain_mx', 'fail 10', envelope({ mx: [], nullMx: true })],
  ['envelope_domain_mx', 'fail 10', lead({ addresses: [] })],
  ['envelope_domain_mx', 'fail 10', lead({ addresses: ['127.0.0.1'] })],
  ['envelope_domain_mx', 'fail 10', envelope({ mx: ['192.0.2.26'] })],
  ['envelope_domain_mx', 'warn 1', envelope({ mx: ['mx.example.com', '192.0.2.26'] })],
  ['envelope_domain_mx', 'info 0 suggest', lead({ alias: 'host.example.net' })],
  ['envelope_domain_mx', 'unknown', { names: { mxHosts: { 'mx.example.com': silent } } }],
  ['envelope_domain_mx', 'unknown', { names: { envelopeMx: silent } }],
  ['envelope_domain_mx', 'fail 10', { names: { envelopeMx: failing('SERVFAIL') } }],
  ['envelope_domain_mx', 'fail 10', { names: { envelopeMx: failing('BOGUS') } }],
  [
    'envelope_domain_mx',
    'left out',
    { names: { envelopeMx: failing('SERVFAIL'), fromMx: failing('SERVFAIL') } },
  ],
  ['envelope_domain_mx', 'fail 10', { names: { envelopeDomain: 'vps123', envelopeMx: null } }],
  [
    'envelope_domain_mx',
    'fail 10',
    { names: { envelopeDomain: '[192.0.2.25]', envelopeMx: null } },
  ],
  ['envelope_domain_mx', 'fail 10', { names: { envelopeDomain: 'localhost.localdomain' } }],
  ['envelope_domain_mx', 'left out', { names: { envelopeMx: null } }],

  ['mta_sts', 'pass 0'],
  ['mta_sts', 'info 0 suggest', { transport: { mtaSts: { value: { state: 'absent' } } } }],
  ['mta_sts', 'info 0 suggest', { transport: { mtaSts: { value: { state: 'testing' } } } }],
  ['mta_sts', 'info 0 suggest', { transport: { mtaSts: { value: { state: 'none' } } } }],
  ['mta_sts', 'warn 0', { transport: { mtaSts: { value: { state: 'broken' } } } }],
  ['mta_sts', 'unknown', { transport: { mtaSts: silent } }],
  ['mta_sts', 'left out', { names: { fromDomain: 'localhost' } }],
  ['mta_sts', 'left out', { names: { fromDomain: 'localhost.localdomain' } }],
  ['mta_sts', 'left out', { names: { fromDomain: '192.0.2.1' } }],
  ['tls_rpt', 'left out', { names: { fromDomain: 'localhost' } }],
  ['bimi_record', 'left out', { names: { fromDomain: 'localhost.localdomain' } }],
  ['mta_sts', 'left out', { names: { fromDomain: null }, transport: { report: { domain: null } } }],

  ['tls_rpt', 'pass 0'],
  ['tls_rpt', 'info 0 suggest', { transport: { tlsRpt: { value: { state: 'absent' } } } }],
  [
    'tls_rpt',
    'warn 0',
    { transport: { tlsRpt: { value: { state: 'broken', fault: 'no rua=' } } } },
  ],
  ['tls_rpt', 'unknown', { transport: { tlsRpt: silent } }],
];
