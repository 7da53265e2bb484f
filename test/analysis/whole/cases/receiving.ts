/**
 * Cases of complete emails from domains with various mail hosts and name servers: DNSSEC, DANE, STARTTLS and
 * IPv6.
 */

import { createAuthority } from '../../../support/mail/certificates.ts';
import type { Case } from '../case.ts';
import { AUTHORITY } from '../keys.ts';
import { ORIGIN, POLICY, policy, RIGHT_SPF } from '../zone.ts';

const MAIL = { A: ['192.0.2.25'], TXT: ['v=spf1 a -all'] };
const DOMAIN = { ...ORIGIN, TXT: [RIGHT_SPF] };
const TWO = { ...DOMAIN, MX: ['10 mail.example.com', '20 mx2.example.com'] };
const COVERED = { [POLICY]: policy('mode: enforce', 'mx: *.example.com', 'max_age: 604800') };
const TLSA = '_25._tcp.mail.example.com';
const HASH = AUTHORITY.keyHash;
const STRANGER = createAuthority('Stranger');
const NO_STS = { '_mta-sts.example.com': null };

export const receivingCases: readonly Case[] = [
  {
    about: 'a second mail host whose signatures do not hold',
    zone: {
      'example.com': TWO,
      'mail.example.com': { ...MAIL, AAAA: ['2001:db8::25'] },
      'mx2.example.com': 'BOGUS',
    },
    web: COVERED,
    states: { dnssec: 'bogus', dane: 'left out', mx_ipv6: 'both' },
  },
  {
    about: 'a TLSA record with a usage that mail servers do not accept',
    zone: { [TLSA]: { TLSA: [`1 1 1 ${HASH}`] } },
    states: { dane: 'unusable' },
  },
  {
    about: 'a TLSA record that is not signed',
    zone: { [TLSA]: { TLSA: [`1 1 1 ${HASH}`], unsigned: true } },
    states: {},
  },
  {
    about: 'a second mail host without TLSA',
    zone: {
      'example.com': TWO,
      'mx2.example.com': { A: ['192.0.2.26'] },
      [TLSA]: { TLSA: [`3 1 1 ${HASH}`] },
    },
    web: COVERED,
    states: { dane: 'partial' },
  },
  {
    about: 'a mail host without STARTTLS',
    mailHost: { ehlo: '250 mx' },
    states: { mx_starttls: 'none', mx_certificate: 'left out' },
  },
  {
    about: 'a mail host with TLS 1.1 at best',
    mailHost: {
      tls: { ...AUTHORITY.sign('mail.example.com'), minVersion: 'TLSv1', maxVersion: 'TLSv1.1' },
    },
    states: { mx_starttls: 'old' },
  },
  {
    about: 'a mail host with another key than its TLSA record',
    zone: { [TLSA]: { TLSA: [`3 1 1 ${'0a'.repeat(32)}`] } },
    states: { dane: 'protected', mx_certificate: 'not_named' },
  },
  {
    about: 'a mail host with a certificate for another name, while MTA-STS is enforced',
    mailHost: { tls: AUTHORITY.sign('web.example.com') },
    states: { mx_certificate: 'refused' },
  },
  {
    about: 'a mail host with a certificate of nobody known',
    zone: NO_STS,
    mailHost: { tls: STRANGER.sign },
    states: { mta_sts: 'absent', mx_certificate: 'unproved' },
  },
  {
    about: 'one that a TLSA record names',
    zone: { ...NO_STS, [TLSA]: { TLSA: [`3 1 1 ${STRANGER.keyHash}`] } },
    mailHost: { tls: STRANGER.sign },
    states: { mta_sts: 'absent', dane: 'protected' },
  },
  {
    about: 'a name server with an IPv6 address',
    zone: { 'ns1.provider.example': { AAAA: ['2001:db8::53'] } },
    states: { ns_ipv6: 'both' },
  },
  {
    about: 'a mail host that has an IPv6 address alone',
    zone: {
      'example.com': { ...DOMAIN, MX: ['10 mx2.example.com'] },
      'mx2.example.com': { AAAA: ['2001:db8::25'] },
    },
    web: COVERED,
    states: { mx_ipv6: 'ipv6_only' },
  },
];
