/**
 * Cases for each state of the checks on the domain's own mail hosts and name servers: DNSSEC, DANE, STARTTLS,
 * certificates and IPv6.
 */

import { known, type LookupResult, unknown, unseen } from '../../../src/analysis/lookup-result.ts';
import type {
  HostTls,
  ReceivingFacts,
  Signed,
  Tlsa,
} from '../../../src/analysis/receiving/facts.ts';
import type { Part } from '../../support/mail/facts.ts';
import type { Case } from '../case.ts';

const silent = unknown('dns: AAAA mx.example.com: SERVFAIL');
const receiving = (part: Part<ReceivingFacts>): Case[2] => ({ receiving: part });
const signed = (domain: Signed, host: Signed = domain): Case[2] =>
  receiving({ dnssec: { value: { domain, hosts: { 'mx.example.com': host } } } });

const HASH = '0a'.repeat(32);
const record = (part: Partial<Tlsa> = {}): Tlsa => ({
  ...{ usage: 3, selector: 1, matching: 1, data: HASH },
  ...part,
});
const tlsa = (...records: Partial<Tlsa>[]): Case[2] =>
  receiving({ tlsa: { 'mx.example.com': known(records.map(record)) } });
const second = (lookup: ReceivingFacts['tlsa'][string]): Case[2] =>
  receiving({ tlsa: { 'mx2.example.net': lookup } });

const mx = (part: Partial<HostTls>): Case[2] =>
  receiving({ starttls: { 'mx.example.com': { value: part } } });
const mx2 = (lookup: LookupResult<HostTls>): Case[2] =>
  receiving({ starttls: { 'mx2.example.net': lookup } });
const unreached = unknown('starttls: mx2.example.net: no answer in time');
const noTls = { version: null, fault: 'it does not offer STARTTLS', named: null };
const selfSigned = { fault: 'is self-signed', named: null };
const sts = (state: 'testing' | 'none'): Case[2] => ({
  transport: { mtaSts: { value: { state } } },
});
const absent: Case[2] = receiving({ starttls: undefined });

const addresses = (...all: string[]): Case[2] => ({
  names: { mxHosts: { 'mx.example.com': { value: { addresses: all } } } },
});
const unanswered: Case[2] = {
  names: {
    mxHosts: {
      'mx.example.com': { value: { unanswered: 'dns: address mx.example.com: TIMEOUT' } },
    },
  },
};
const nullMx: Case[2] = { names: { fromMx: { value: { mx: [], nullMx: true } } } };

/** The domain's address replaces the missing MX (RFC 5321 §5.1). */
const alone = (...all: string[]): Case[2] => ({
  names: {
    fromMx: { value: { mx: [] } },
    mxHosts: { 'example.com': known({ addresses: all, alias: null }) },
  },
});

export const receivingCases: readonly Case[] = [
  ['dnssec', 'pass 0'],
  ['dnssec', 'warn 0', signed('bogus')],
  ['dnssec', 'warn 0', signed('secure', 'bogus')],
  ['dnssec', 'info 0', signed('insecure')],
  ['dnssec', 'info 0', signed('secure', 'insecure')],
  ['dnssec', 'unknown', { receiving: { dnssec: unseen('dnssec: signatures: not checked') } }],
  ['dnssec', 'left out', nullMx],

  ['dane', 'pass 0'],
  ['dane', 'pass 0', tlsa({ usage: 2, selector: 0, matching: 2, data: HASH + HASH })],
  ['dane', 'pass 0', tlsa({ selector: 0, matching: 0, data: '30820122' })],
  // One usable record is enough, because a sender skips the others.
  ['dane', 'pass 0', tlsa({}, { usage: 1 })],
  ['dane', 'warn 0', tlsa({ usage: 1 })],
  ['dane', 'warn 0', tlsa({ usage: 0 })],
  ['dane', 'warn 0', tlsa({ selector: 2 })],
  ['dane', 'warn 0', tlsa({ matching: 3 })],
  ['dane', 'warn 0', tlsa({ data: `${HASH}00` })],
  ['dane', 'warn 0', tlsa({ matching: 2 })],
  ['dane', 'warn 0', tlsa({ matching: 0, data: HASH })],
  ['dane', 'warn 0', second(known([record({ usage: 1 })]))],
  ['dane', 'info 0 suggest', second(known([]))],
  ['dane', 'info 0', tlsa()],
  ['dane', 'unknown', second(silent)],
  ['dane', 'warn 0', tlsa({ usage: 1 }), second(silent)],

  ['mx_starttls', 'pass 0'],
  ['mx_starttls', 'pass 0', mx({ version: 'TLSv1.2' })],
  ['mx_starttls', 'warn 0', mx({ version: 'TLSv1.1' })],
  ['mx_starttls', 'warn 0', mx(noTls)],
  ['mx_starttls', 'warn 0', mx2(known(noTls))],
  ['mx_starttls', 'unknown', mx2(unreached)],
  ['mx_starttls', 'warn 0', mx(noTls), mx2(unreached)],
  ['mx_starttls', 'unknown', receiving({ starttls: null })],
  ['mx_starttls', 'left out', absent],
  ['mx_starttls', 'left out', nullMx],

  ['mx_certificate', 'pass 0'],
  ['mx_certificate', 'pass 0', mx({ named: null })],
  ['mx_certificate', 'warn 0', mx({ named: false })],
  ['mx_certificate', 'warn 0', mx(selfSigned)],
  ['mx_certificate', 'warn 0', mx({ ...selfSigned, named: true })],
  ['mx_certificate', 'info 0 suggest', mx(selfSigned), sts('testing')],
  ['mx_certificate', 'info 0 suggest', mx(selfSigned), sts('none')],
  // The certificate's name and authority do not matter (RFC 7672 §3.1.1).
  ['mx_certificate', 'pass 0', mx({ ...selfSigned, named: true }), sts('none')],
  ['mx_certificate', 'warn 0', mx({ ...selfSigned, named: false }), sts('none')],
  ['mx_certificate', 'unknown', mx2(unreached)],
  ['mx_certificate', 'pass 0', mx2(known(noTls))],
  ['mx_certificate', 'left out', mx(noTls)],
  ['mx_certificate', 'left out', absent],
  ['mx_certificate', 'left out', nullMx],

  ['mx_ipv6', 'pass 0'],
  ['mx_ipv6', 'pass 0', unanswered],
  ['mx_ipv6', 'info 0', addresses('192.0.2.26')],
  ['mx_ipv6', 'info 0', addresses('192.0.2.26', '::1')],
  ['mx_ipv6', 'info 0 suggest', addresses('2001:db8::26')],
  ['mx_ipv6', 'unknown', addresses('192.0.2.26'), unanswered],
  ['mx_ipv6', 'unknown', { names: { mxHosts: { 'mx.example.com': silent } } }],
  ['mx_ipv6', 'left out', addresses('10.0.0.1')],
  ['mx_ipv6', 'left out', nullMx],
  ['mx_ipv6', 'info 0', alone('192.0.2.26')],
  ['mx_ipv6', 'left out', alone('192.0.2.26'), nullMx],

  ['ns_ipv6', 'pass 0'],
  ['ns_ipv6', 'info 0', receiving({ nameServers: { 'ns1.example.net': known(false) } })],
  ['ns_ipv6', 'pass 0', receiving({ nameServers: { 'ns2.example.net': silent } })],
  [
    'ns_ipv6',
    'unknown',
    receiving({ nameServers: { 'ns1.example.net': known(false), 'ns2.example.net': silent } }),
  ],
];
