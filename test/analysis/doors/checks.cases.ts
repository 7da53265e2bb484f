import type { DoorFacts, Signed, Tlsa } from '../../../src/analysis/doors/facts.ts';
import { known, unknown, unseen } from '../../../src/analysis/lookup-result.ts';
import type { Part } from '../../support/mail/facts.ts';
import type { Case } from '../case.ts';

const silent = unknown('dns: AAAA mx.example.com: SERVFAIL');
const doors = (part: Part<DoorFacts>): Case[2] => ({ doors: part });
const signed = (domain: Signed, host: Signed = domain): Case[2] =>
  doors({ dnssec: { value: { domain, hosts: { 'mx.example.com': host } } } });

const HASH = '0a'.repeat(32);
const record = (part: Partial<Tlsa> = {}): Tlsa => ({
  ...{ usage: 3, selector: 1, matching: 1, data: HASH },
  ...part,
});
const tlsa = (...records: Partial<Tlsa>[]): Case[2] =>
  doors({ tlsa: { 'mx.example.com': known(records.map(record)) } });
const second = (lookup: DoorFacts['tlsa'][string]): Case[2] =>
  doors({ tlsa: { 'mx2.example.net': lookup } });

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

export const doorCases: readonly Case[] = [
  ['dnssec', 'pass 0'],
  ['dnssec', 'warn 0', signed('bogus')],
  ['dnssec', 'warn 0', signed('secure', 'bogus')],
  ['dnssec', 'info 0', signed('insecure')],
  ['dnssec', 'info 0', signed('secure', 'insecure')],
  ['dnssec', 'unknown', { doors: { dnssec: unseen('dnssec: signatures: not checked') } }],
  ['dnssec', 'left out', nullMx],

  ['dane', 'pass 0'],
  ['dane', 'pass 0', tlsa({ usage: 2, selector: 0, matching: 2, data: HASH + HASH })],
  ['dane', 'pass 0', tlsa({ selector: 0, matching: 0, data: '30820122' })],
  // One that can be used is enough: a sender passes the others over.
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
  ['dane', 'left out', signed('insecure', 'secure')],

  ['mx_ipv6', 'pass 0'],
  ['mx_ipv6', 'pass 0', unanswered],
  ['mx_ipv6', 'info 0', addresses('192.0.2.26')],
  ['mx_ipv6', 'info 0', addresses('192.0.2.26', '::1')],
  ['mx_ipv6', 'info 0 suggest', addresses('2001:db8::26')],
  ['mx_ipv6', 'unknown', addresses('192.0.2.26'), unanswered],
  ['mx_ipv6', 'unknown', { names: { mxHosts: { 'mx.example.com': silent } } }],
  ['mx_ipv6', 'left out', addresses('10.0.0.1')],
  ['mx_ipv6', 'left out', nullMx],

  ['ns_ipv6', 'pass 0'],
  ['ns_ipv6', 'info 0', doors({ nameServers: { 'ns1.example.net': known(false) } })],
  ['ns_ipv6', 'pass 0', doors({ nameServers: { 'ns2.example.net': silent } })],
  [
    'ns_ipv6',
    'unknown',
    doors({ nameServers: { 'ns1.example.net': known(false), 'ns2.example.net': silent } }),
  ],
];
