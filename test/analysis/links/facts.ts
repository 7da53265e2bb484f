/** Link facts of a perfect email, and the answers of a web-risk service about them, for tests. */

import type { LinkFacts, WebRiskFacts } from '../../../src/analysis/links/facts.ts';
import { DOMAIN } from '../names/facts.ts';

/** A link's host as it was gathered, before any service was asked about it. */
export const linkDomain: LinkFacts['report']['domains'][number] = {
  host: 'www.example.com',
  organizational_domain: DOMAIN,
  count: 2,
  schemes: ['https'],
  roles: ['link'],
  aligned_with_from: true,
  shortener: false,
  ip_literal: false,
  idn: false,
  non_default_port: false,
  reputation: 'not_checked',
  threats: [],
  expires_at: null,
};

export const links: LinkFacts = {
  report: {
    total: 2,
    distinct_domains: 1,
    non_https: 0,
    text_mismatches: [],
    domains: [linkDomain],
  },
  truncated: false,
  mismatches: [],
  shorteners: [],
  redirectors: [],
  ipHosts: [],
  userinfoHosts: [],
  oddPorts: [],
  httpHosts: [],
  homographs: { suspicious: [], idn: [] },
  organizationalDomains: 1,
  underFromDomain: true,
  malformed: [],
};

export const webRisk: WebRiskFacts = {
  configured: true,
  checkedAt: '2026-11-20T12:00:02.000Z',
  hosts: { 'www.example.com': { threats: [], expiresAt: null } },
};
