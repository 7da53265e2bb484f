/** Cases for each state of the checks on links. */

import type { Facts } from '../../../src/analysis/facts.ts';
import type { LinkFacts } from '../../../src/analysis/links/facts.ts';
import { unknown } from '../../../src/analysis/lookup-result.ts';
import type { Part } from '../../support/mail/facts.ts';
import type { Case } from '../case.ts';
import { linkDomain } from './facts.ts';

const links = (value: Part<LinkFacts>): Part<Facts> => ({ links: { value } });
const none = links({ report: { total: 0, distinct_domains: 0, domains: [] } });
const mismatch = { shown_domain: 'bank.example', target_domain: 'other.example' };
const twoHosts = links({ report: { domains: [linkDomain, { ...linkDomain, host: 'b.example' }] } });
const address = { ...linkDomain, host: '192.0.2.1', ip_literal: true };
const withAddress = links({ report: { domains: [linkDomain, address] } });
const risk = (hosts: Facts['webRisk']['hosts']): Part<Facts> => ({ webRisk: { hosts } });
const threat = { threats: ['MALWARE'], expiresAt: null };

export const linkCases: readonly Case[] = [
  ['link_text_mismatch', 'pass 0'],
  ['link_text_mismatch', 'warn 8', links({ mismatches: [mismatch] })],
  [
    'link_text_mismatch',
    'info 0 suggest',
    links({ mismatches: [{ ...mismatch, shown_domain: 'www.example.com' }] }),
  ],
  ['link_text_mismatch', 'left out', none],
  ['link_text_mismatch', 'unknown', { links: unknown('worker: no content part') }],

  ['link_shortener', 'pass 0'],
  ['link_shortener', 'warn 5', links({ shorteners: ['bit.ly'] })],
  ['link_shortener', 'warn 11', links({ redirectors: ['www.google.com'] })],

  ['link_ip_host', 'pass 0'],
  ['link_ip_host', 'warn 3', links({ oddPorts: ['www.example.com:8080'] })],
  ['link_ip_host', 'fail 10', links({ ipHosts: ['192.0.2.1'] })],

  ['link_https', 'pass 0'],
  ['link_https', 'warn 3', links({ httpHosts: ['www.example.com'] })],
  ['link_https', 'info 0', links({ httpHosts: ['whois.example.net'] })],
  [
    'link_https',
    'info 0',
    links({ httpHosts: ['www.example.com'] }),
    { content: { value: { content: { has_html: false } } } },
  ],

  ['link_homograph', 'pass 0'],
  ['link_homograph', 'info 0', links({ homographs: { idn: ['xn--bcher-kva.example'] } })],
  ['link_homograph', 'warn 14', links({ homographs: { suspicious: ['xn--pypal-4ve.example'] } })],

  ['link_count', 'pass 0', links({ report: { total: 50 }, organizationalDomains: 10 })],
  ['link_count', 'warn 2', links({ report: { total: 51 } })],
  ['link_count', 'warn 2', links({ organizationalDomains: 11 })],

  ['link_offdomain', 'pass 0'],
  ['link_offdomain', 'info 0', links({ underFromDomain: false })],
  [
    'link_offdomain',
    'info 0 suggest',
    links({ underFromDomain: false }),
    { headers: { value: { bulk: { mayBe: true } } } },
  ],
  ['link_offdomain', 'left out', { names: { fromDomain: null } }],

  ['link_malformed', 'pass 0'],
  ['link_malformed', 'warn 4', links({ malformed: [{ shape: 'empty', count: 2 }] })],
  ['link_malformed', 'warn 4', none, links({ malformed: [{ shape: 'empty', count: 2 }] })],

  ['link_reputation', 'pass 0'],
  ['link_reputation', 'info 0', { webRisk: { configured: false } }],
  ['link_reputation', 'fail 60', risk({ 'www.example.com': threat })],
  ['link_reputation', 'unknown', risk({ 'www.example.com': null })],
  ['link_reputation', 'unknown', twoHosts],
  ['link_reputation', 'fail 60', twoHosts, risk({ 'b.example': threat })],
  ['link_reputation', 'pass 0', withAddress],
  ['link_reputation', 'left out', links({ report: { domains: [address] } })],
  ['link_reputation', 'left out', none],
];
