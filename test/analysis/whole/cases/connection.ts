/**
 * Cases of complete emails from servers with various addresses, PTR records, HELO names and TLS versions, and
 * one with the opinion of a spam filter.
 */

import { FilterFault } from '../../../../src/domain/filter-fault.ts';
import { createAskFilters } from '../../../../src/inspection/filters.ts';
import type { FilterAnswer } from '../../../../src/ports/filters.ts';
import { IP } from '../../../support/mail/inspection-environment.ts';
import type { Case, State } from '../case.ts';
import { ORIGIN, PTR, RIGHT_SPF } from '../zone.ts';

const helo = (name: string, states: Case['states'], zone: Case['zone'] = {}): Case => ({
  about: `HELO ${name}`,
  client: { helo: name },
  zone,
  states,
});

/** A case with a HELO name for which SPF cannot be looked up. */
const unusable = (name: string): Case =>
  helo(name, { helo_valid: 'invalid', helo_matches_ptr: 'left out', spf_helo: 'left out' });

const ptr = (...PTRs: string[]) => ({ [PTR]: { PTR: PTRs } });

const noPtr = {
  rdns_ptr: 'absent',
  rdns_fcrdns: 'left out',
  rdns_generic: 'left out',
  rdns_multiple: 'left out',
} as const;

/** The host that receives email is not the one that sends it. */
const mxElsewhere: Case['zone'] = {
  'example.com': { ...ORIGIN, MX: ['10 mx.example.com'], TXT: [RIGHT_SPF] },
  'mx.example.com': { A: ['192.0.2.81'] },
  '_mta-sts.example.com': null,
};
const withoutSts = { mta_sts: 'absent' } as const;

const tls = (version: string, state: State): Case => ({
  about: version,
  client: { tls: { status: 'tls', version, cipher: 'ECDHE-RSA-AES128-SHA' } },
  states: { connection_tls: state },
});

/** A case with a reverse name that resolves back to the address. */
const named = (name: string, states: Case['states']): Case => ({
  about: `PTR ${name}`,
  zone: { ...ptr(name), [name]: { A: [IP] } },
  states,
});

/** Returns the reverse name of an IPv6 address, written in full. */
const reverse6 = (digits: string): string => `${[...digits].toReversed().join('.')}.ip6.arpa`;
const IPV6 = '2001:db8::25';
const PTR6 = reverse6('20010db8000000000000000000000025');

/** 192.0.2.25 behind an address translator (RFC 6052). */
const NAT64 = '64:ff9b::c000:219';

const FILTERED: FilterAnswer = {
  version: '4.1.1',
  score: 1.5,
  threshold: 15,
  action: 'no_action',
  rules: [
    { name: 'MISSING_MID', points: 2.5 },
    { name: 'OWN_RULE', points: -1 },
  ],
};

export const connectionCases: readonly Case[] = [
  {
    about: 'IPv6 without a reverse name, of a dual-stack mail host',
    client: { ip: IPV6 },
    zone: {
      'example.com': { ...ORIGIN, TXT: [`v=spf1 ip4:${IP} ip6:${IPV6} -all`] },
      'mail.example.com': { A: [IP], AAAA: [IPV6], TXT: ['v=spf1 a -all'] },
    },
    states: {
      rdns_ptr: 'absent',
      rdns_fcrdns: 'left out',
      rdns_generic: 'left out',
      rdns_multiple: 'left out',
      mx_ipv6: 'both',
      spamcop_listed: 'left out',
    },
  },
  {
    about: 'IPv6 from an address that the host made up, beside the one in its AAAA record',
    client: { ip: '2001:db8::1c7a:88ff:fe33:9d01' },
    zone: {
      'example.com': { ...ORIGIN, TXT: ['v=spf1 mx -all'] },
      'mail.example.com': { A: [IP], AAAA: [IPV6], TXT: ['v=spf1 a -all'] },
      [PTR6]: { PTR: ['mail.example.com'] },
    },
    states: {
      rdns_ptr: 'absent',
      rdns_fcrdns: 'left out',
      rdns_generic: 'left out',
      rdns_multiple: 'left out',
      mx_ipv6: 'both',
      spamcop_listed: 'left out',
      helo_matches_ptr: 'mismatch',
      spf_result: 'fail',
      spf_helo: 'absent',
      dmarc_alignment: 'dkim_only',
    },
  },
  {
    about: 'a reverse name with the domain twice',
    zone: { ...ptr('mail.example.com.example.com') },
    states: { rdns_fcrdns: 'unconfirmed' },
  },
  {
    about: 'a dual-stack mail host without its AAAA record',
    client: { ip: IPV6 },
    zone: {
      'example.com': { ...ORIGIN, TXT: [`v=spf1 ip4:${IP} ip6:${IPV6} -all`] },
      [PTR6]: { PTR: ['mail.example.com'] },
    },
    states: { rdns_fcrdns: 'unconfirmed', spf_helo: 'absent', spamcop_listed: 'left out' },
  },
  {
    about: 'a dual-stack mail host without its AAAA record and reverse name',
    client: { ip: IPV6 },
    zone: { 'example.com': { ...ORIGIN, TXT: [`v=spf1 ip4:${IP} ip6:${IPV6} -all`] } },
    states: {
      ...{ ...noPtr, helo_matches_ptr: 'mismatch', spf_helo: 'absent' },
      spamcop_listed: 'left out',
    },
  },
  {
    about: 'a dual-stack mail host without its AAAA record, let in by mx',
    client: { ip: IPV6 },
    zone: {
      'example.com': { ...ORIGIN, TXT: ['v=spf1 mx ~all'] },
      [PTR6]: { PTR: ['mail.example.com'] },
    },
    states: {
      ...{ spf_result: 'softfail', dmarc_alignment: 'dkim_only', rdns_fcrdns: 'unconfirmed' },
      ...{ spf_helo: 'absent', spamcop_listed: 'left out' },
    },
  },
  {
    about: 'a dual-stack mail host without its AAAA record, let in by its name',
    client: { ip: IPV6 },
    zone: { 'example.com': { ...ORIGIN, TXT: ['v=spf1 a:MAIL.example.com -all'] } },
    states: {
      ...{ spf_result: 'fail', dmarc_alignment: 'dkim_only' },
      ...{ ...noPtr, helo_matches_ptr: 'mismatch', spf_helo: 'absent' },
      spamcop_listed: 'left out',
    },
  },
  {
    about: 'a web proxy of the other family of addresses before the HELO name',
    client: { ip: IPV6, helo: 'smtp.example.com' },
    zone: {
      'example.com': { ...ORIGIN, TXT: [`v=spf1 ip4:${IP} ip6:${IPV6} -all`] },
      'smtp.example.com': { AAAA: ['2606:4700::6812:709'] },
      [PTR6]: { PTR: ['smtp.example.com'] },
    },
    states: { rdns_fcrdns: 'unconfirmed', spf_helo: 'absent', spamcop_listed: 'left out' },
  },
  {
    about: 'an address of NAT64',
    client: { ip: NAT64 },
    states: {
      ...{ spf_result: 'fail', dmarc_alignment: 'dkim_only' },
      ...{ ...noPtr, rdns_ptr: 'unknown', helo_matches_ptr: 'unknown', spf_helo: 'absent' },
      ...{ spamcop_listed: 'left out', dnsbl_listed: 'left out' },
    },
    isUnanswered: true,
  },
  {
    about: 'a HELO name behind a web proxy',
    client: { helo: 'smtp.example.com' },
    zone: {
      'smtp.example.com': { A: ['104.18.7.9'] },
      [PTR]: { PTR: ['smtp.example.com'] },
    },
    states: { rdns_fcrdns: 'unconfirmed', spf_helo: 'absent' },
  },
  {
    about: 'no PTR',
    zone: { [PTR]: null },
    states: {
      rdns_ptr: 'absent',
      rdns_fcrdns: 'left out',
      rdns_generic: 'left out',
      rdns_multiple: 'left out',
    },
  },
  {
    about: 'a PTR name without address',
    zone: ptr('gone.example.com'),
    states: { rdns_fcrdns: 'unconfirmed' },
  },
  {
    about: 'a PTR name with another address',
    zone: { ...ptr('other.example.com'), 'other.example.com': { A: ['192.0.2.1'] } },
    states: { rdns_fcrdns: 'unconfirmed' },
  },
  {
    about: "a PTR name of the network's without address",
    zone: ptr('host.isp.example'),
    states: { rdns_fcrdns: 'unconfirmed' },
  },
  named('25.2.0.192.isp.example', { rdns_generic: 'generic' }),
  named('dyn-7.isp.example', { rdns_generic: 'dynamic' }),
  named('a.pool.isp.example', { rdns_generic: 'dynamic' }),
  named('x.dsl.isp.example', { rdns_generic: 'dynamic' }),
  {
    about: 'two PTR names',
    zone: { ...ptr('mail.example.com', 'www.example.com'), 'www.example.com': { A: [IP] } },
    states: { rdns_multiple: 'several' },
  },
  {
    about: 'IPv6',
    client: { ip: '2001:db8::25' },
    zone: {
      [`5.2.0.0.${'0.'.repeat(20)}8.b.d.0.1.0.0.2.ip6.arpa`]: { PTR: ['mail.example.com'] },
      'mail.example.com': { AAAA: ['2001:db8::25'], TXT: ['v=spf1 a -all'] },
      'example.com': {
        ...ORIGIN,
        TXT: ['v=spf1 ip6:2001:db8::25 -all'],
      },
    },
    states: { spamcop_listed: 'left out', mx_ipv6: 'ipv6_only' },
  },
  unusable(IP),
  unusable('localhost'),
  unusable('mail'),
  unusable('mail_1.example.com'),
  unusable('mail.shop.local'),
  unusable('-bad-.example.com'),
  {
    ...unusable('mailhost'),
    about: 'HELO mailhost, no PTR, and no name known to lead to the IP',
    zone: { ...mxElsewhere, [PTR]: null },
    states: { ...noPtr, ...withoutSts, ...unusable('mailhost').states },
  },
  {
    about: 'HELO that is the web server, and no PTR',
    client: { helo: 'example.com' },
    zone: { ...mxElsewhere, [PTR]: null },
    states: { ...noPtr, ...withoutSts, helo_matches_ptr: 'mismatch' },
  },
  {
    about: 'HELO that is the web server, and a wildcard for PTR',
    client: { helo: 'example.com' },
    zone: { ...mxElsewhere, ...ptr('*.example.com') },
    states: { rdns_fcrdns: 'unconfirmed', ...withoutSts, helo_matches_ptr: 'mismatch' },
  },
  {
    about: "HELO that is the web server, and the network's PTR name",
    client: { helo: 'example.com' },
    zone: { ...ptr('25-2-0-192.dsl.isp.example'), '25-2-0-192.dsl.isp.example': { A: [IP] } },
    states: { rdns_generic: 'dynamic', helo_matches_ptr: 'mismatch' },
  },
  {
    about: 'HELO without address, and no PTR',
    client: { helo: 'gone.example.com' },
    zone: { [PTR]: null },
    states: {
      ...noPtr,
      helo_valid: 'unresolvable',
      helo_matches_ptr: 'mismatch',
      spf_helo: 'absent',
    },
  },
  helo('25-2-0-192.example.com', {
    helo_valid: 'unresolvable',
    helo_matches_ptr: 'mismatch',
    spf_helo: 'absent',
  }),
  helo(`[${IP}]`, { helo_valid: 'unresolvable', spf_helo: 'left out' }),
  {
    ...unusable('localhost'),
    about: 'HELO localhost and no PTR',
    zone: { [PTR]: null },
    states: {
      rdns_ptr: 'absent',
      rdns_fcrdns: 'left out',
      rdns_generic: 'left out',
      rdns_multiple: 'left out',
      ...unusable('localhost').states,
    },
  },
  {
    about: 'HELO that has another address, and no PTR',
    client: { helo: 'other.example.com' },
    zone: { [PTR]: null, 'other.example.com': { A: ['192.0.2.1'] } },
    states: {
      rdns_ptr: 'absent',
      rdns_fcrdns: 'left out',
      rdns_generic: 'left out',
      rdns_multiple: 'left out',
      helo_matches_ptr: 'mismatch',
      spf_helo: 'absent',
    },
  },
  {
    about: 'HELO [192.0.2.99], and a PTR name without address',
    client: { helo: '[192.0.2.99]' },
    zone: ptr('gone.example.com'),
    states: {
      rdns_fcrdns: 'unconfirmed',
      helo_valid: 'unresolvable',
      helo_matches_ptr: 'mismatch',
      spf_helo: 'left out',
    },
  },
  helo('[192.0.2.99]', {
    helo_valid: 'unresolvable',
    helo_matches_ptr: 'mismatch',
    spf_helo: 'left out',
  }),
  helo('gone.example.com', {
    helo_valid: 'unresolvable',
    helo_matches_ptr: 'mismatch',
    spf_helo: 'absent',
  }),
  helo(
    'other.example.com',
    { helo_matches_ptr: 'mismatch', spf_helo: 'absent' },
    { 'other.example.com': { A: ['192.0.2.1'] } },
  ),
  {
    ...helo('Mail.example.com.', { spf_helo: 'absent' }),
    zone: { 'mail.example.com': { A: [IP] } },
  },
  {
    about: 'plaintext',
    client: { tls: { status: 'plaintext', version: null, cipher: null } },
    states: { connection_tls: 'plaintext' },
  },
  tls('TLSv1', 'outdated'),
  tls('TLSv1.1', 'outdated'),
  {
    about: 'a client that a proxy in front states, and filters behind',
    client: { namedBy: 'proxy' },
    askFilters: createAskFilters({
      runBy: 'operator',
      filters: [
        { name: 'rspamd', ask: async () => FILTERED },
        { name: 'spamassassin', ask: () => Promise.reject(new FilterFault('broke_off')) },
      ],
    }),
    states: {},
  },
];
