/** Cases of complete emails with various SPF records. */

import { IP } from '../../../support/mail/inspection-environment.ts';
import type { Case, Names } from '../case.ts';
import { dmarc, ORIGIN, POLICY, PTR, policy, RIGHT_SPF, spf } from '../zone.ts';

const hosts = (n: number) => Array.from({ length: n }, (_, i) => `h${i}.example.com`);

/** Returns `n` different addresses of hosts. */
const ranges = (n: number) => Array.from({ length: n }, (_, i) => `ip4:203.0.113.${i}`).join(' ');

/** A host name in a shared sending pool. */
const POOL = 'o1.sendgrid.net';

/** A record with `n` lookups, whose names all resolve. */
const lookups = (n: number): Names => ({
  ...spf(
    `v=spf1 ip4:${IP} ${hosts(n)
      .map((host) => `a:${host}`)
      .join(' ')} -all`,
  ),
  ...Object.fromEntries(hosts(n).map((host) => [host, { A: ['192.0.2.90'] }])),
});

const behind = {
  spf_multiple_records: 'left out',
  spf_result: 'left out',
  spf_lookup_limit: 'left out',
  spf_void_lookups: 'left out',
  spf_all_qualifier: 'left out',
  spf_syntax: 'left out',
} as const;

/** Without SPF, only DKIM is aligned. */
const dkimOnly = { dmarc_alignment: 'dkim_only' } as const;

export const spfCases: readonly Case[] = [
  {
    about: 'no SPF record',
    zone: { 'example.com': ORIGIN },
    states: { spf_record: 'absent', ...behind, ...dkimOnly },
  },
  ...['v=spf1, mx, -all', 'v=spf1;include:open.example.com;-all', `"v=spf1 ip4:${IP} ?all"`].map(
    (record): Case => ({
      about: `${record}, which is no record`,
      zone: { ...spf(record), 'open.example.com': { TXT: ['v=spf1 +all'] } },
      states: { spf_record: 'absent', ...behind, ...dkimOnly },
    }),
  ),
  {
    about: 'a server that sends as itself, without a record',
    from: { localPart: 'root', domain: 'mail.example.com', smtputf8: false },
    zone: { 'mail.example.com': { A: [IP] } },
    states: { spf_record: 'absent', ...behind, ...dkimOnly, spf_helo: 'absent' },
  },
  {
    about: 'the record at _spf. only',
    zone: { 'example.com': ORIGIN, '_spf.example.com': { TXT: [RIGHT_SPF] } },
    states: { spf_record: 'absent', ...behind, ...dkimOnly },
  },
  ...['localhost', 'localhost.localdomain', 'vps123', '[192.0.2.25]'].map(
    (domain): Case => ({
      about: `an envelope sender at ${domain}`,
      from: { localPart: 'root', domain, smtputf8: false },
      states: {
        spf_record: 'absent',
        ...behind,
        ...dkimOnly,
        envelope_domain_mx: 'no_such_domain',
      },
    }),
  ),
  {
    about: 'a null sender whose HELO name has no record',
    from: { localPart: '', domain: '', smtputf8: false },
    zone: { 'mail.example.com': { A: [IP] } },
    states: {
      envelope_domain_mx: 'left out',
      preheader: 'left out',
      spf_record: 'helo_absent',
      ...behind,
      ...dkimOnly,
      spf_helo: 'absent',
      bulk_markers: 'incomplete',
    },
  },
  {
    about: 'a null sender whose HELO name can have no record',
    from: { localPart: '', domain: '', smtputf8: false },
    client: { helo: 'localhost' },
    states: {
      envelope_domain_mx: 'left out',
      preheader: 'left out',
      spf_record: 'helo_absent',
      ...behind,
      ...dkimOnly,
      spf_helo: 'left out',
      helo_valid: 'invalid',
      helo_matches_ptr: 'left out',
      bulk_markers: 'incomplete',
    },
  },
  ...[{}, { 'mail.example.com': { A: [IP] } }].map(
    (zone): Case => ({
      about: `a null sender whose HELO name is not that of the server, ${Object.keys(zone).length > 0 ? 'which has no record' : 'which has a record'}`,
      from: { localPart: '', domain: '', smtputf8: false },
      client: { helo: 'web9.example.com' },
      zone,
      states: {
        envelope_domain_mx: 'left out',
        preheader: 'left out',
        spf_record: 'helo_absent',
        ...behind,
        ...dkimOnly,
        spf_helo: 'absent',
        helo_valid: 'unresolvable',
        helo_matches_ptr: 'mismatch',
        bulk_markers: 'incomplete',
      },
    }),
  ),
  {
    about: 'a null sender whose HELO name has a record',
    from: { localPart: '', domain: '', smtputf8: false },
    states: { envelope_domain_mx: 'left out', preheader: 'left out', bulk_markers: 'incomplete' },
  },
  {
    about: 'two records',
    zone: spf(RIGHT_SPF, 'v=spf1 mx -all'),
    states: {
      spf_multiple_records: 'several',
      spf_result: 'left out',
      spf_lookup_limit: 'left out',
      spf_void_lookups: 'left out',
      spf_all_qualifier: 'left out',
      spf_syntax: 'left out',
      ...dkimOnly,
    },
  },
  {
    about: 'another IP, -all',
    zone: spf('v=spf1 ip4:192.0.2.1 -all'),
    states: { spf_result: 'fail', ...dkimOnly },
  },
  {
    about: 'an include: of a name without a record',
    zone: spf('v=spf1 include:nothing.example.com -all'),
    states: { spf_result: 'fail', ...dkimOnly },
  },
  {
    about: 'an include: of a name without a record, behind the IP',
    zone: spf(`v=spf1 ip4:${IP} include:nothing.example.com -all`),
    states: { spf_syntax: 'broken_behind' },
  },
  {
    about: 'another IP, ~all',
    zone: spf('v=spf1 ip4:192.0.2.1 ~all'),
    states: { spf_result: 'softfail', ...dkimOnly },
  },
  {
    about: 'an IP that is named with ~',
    zone: spf('v=spf1 ~ip4:192.0.2.25 ip4:192.0.2.1 -all'),
    states: { spf_result: 'softfail', ...dkimOnly },
  },
  {
    about: 'an IP that the record turns away by name',
    zone: spf('v=spf1 -ip4:192.0.2.25 ip4:192.0.2.0/24 -all'),
    states: { spf_result: 'fail', ...dkimOnly },
  },
  {
    about: "a provider's IP, ~all",
    client: { helo: POOL },
    zone: {
      ...spf('v=spf1 ip4:192.0.2.1 ~all'),
      [PTR]: { PTR: [POOL] },
      [POOL]: { A: [IP], TXT: [RIGHT_SPF] },
      'sendgrid.net': { TXT: [RIGHT_SPF] },
    },
    states: {
      spf_result: 'softfail',
      spf_helo: 'left out',
      ...dkimOnly,
    },
  },
  {
    about: 'another IP, ?all',
    zone: spf('v=spf1 ip4:192.0.2.1 ?all'),
    states: { spf_result: 'neutral', spf_all_qualifier: 'missing', ...dkimOnly },
  },
  { about: 'nine lookups', zone: lookups(9), states: { spf_lookup_limit: 'near' } },
  { about: 'ten lookups', zone: lookups(10), states: { spf_lookup_limit: 'near' } },
  {
    about: 'eleven lookups, but the IP stands first',
    zone: lookups(11),
    states: { spf_lookup_limit: 'over' },
  },
  {
    about: 'eleven lookups through an include:, and the IP behind them',
    zone: {
      ...lookups(10),
      'all.example.com': {
        TXT: [String(lookups(10)['example.com']?.TXT?.[0]).replace(IP, '192.0.2.1')],
      },
      ...spf(`v=spf1 include:all.example.com ip4:${IP} -all`),
    },
    states: { spf_lookup_limit: 'over', spf_result: 'left out', ...dkimOnly },
  },
  {
    about: 'three void lookups',
    zone: spf(`v=spf1 ip4:${IP} a:v1.example.com a:v2.example.com a:v3.example.com -all`),
    states: { spf_void_lookups: 'over' },
  },
  {
    about: 'three void lookups of another record of the sender’s',
    zone: {
      ...spf(`v=spf1 ip4:${IP} include:v.example.com -all`),
      'v.example.com': { TXT: ['v=spf1 a:v1.example.com a:v2.example.com a:v3.example.com -all'] },
    },
    states: { spf_void_lookups: 'over' },
  },
  {
    about: 'three void lookups of a service’s record',
    zone: {
      ...spf(`v=spf1 ip4:${IP} include:v.example -all`),
      'v.example': { TXT: ['v=spf1 a:v1.example.com a:v2.example.com a:v3.example.com -all'] },
    },
    states: { spf_void_lookups: 'over' },
  },
  {
    about: 'three hosts without an address of the family of the IP',
    zone: {
      ...spf(`v=spf1 ip4:${IP} a:h0.example.com a:h1.example.com/24//64 ~a:h2.example.com -all`),
      ...Object.fromEntries(hosts(3).map((host) => [host, { AAAA: ['2001:db8::1'] }])),
    },
    states: { spf_void_lookups: 'over' },
  },
  ...[
    [`v=spf1 mx ip4:${IP} -all`, 'the IP behind mx', 'info'],
    [`v=spf1 ip4:${IP} mx -all`, 'the IP before mx', 'pass'],
  ].map(
    ([TXT = '', place = '', state = '']): Case => ({
      about: `mail servers without an address of the family of the IP, ${place}`,
      zone: {
        'example.com': { ...ORIGIN, MX: hosts(3).map((host) => `10 ${host}`), TXT: [TXT] },
        ...Object.fromEntries(hosts(3).map((host) => [host, { AAAA: ['2001:db8::1'] }])),
      },
      web: { [POLICY]: policy('mode: enforce', 'mx: *.example.com', 'max_age: 604800') },
      states: {
        mx_ipv6: 'ipv6_only',
        ...(state === 'info' && { spf_void_lookups: 'over_by_queries' }),
      },
    }),
  ),
  {
    about: 'names made for each email that do not exist, and the IP behind them',
    zone: spf(
      `v=spf1 ${['%{i}', '%{ir}', '%{h}', '%{l}'].map((macro) => `exists:${macro}.x.example.com`).join(' ')} ip4:${IP} -all`,
    ),
    states: { spf_void_lookups: 'over', spf_result: 'left out', ...dkimOnly },
  },
  {
    about: 'names made for each email that do not exist, behind the IP',
    zone: spf(
      `v=spf1 ip4:${IP} ${['%{i}', '%{ir}', '%{h}', '%{l}'].map((macro) => `exists:${macro}.x.example.com`).join(' ')} -all`,
    ),
    states: {},
  },
  ...['%{i}.x.example.com', '%{l}.x.example.com', '%{p}.x.example.com'].map(
    (name): Case => ({
      about: `an include: of ${name}, where there is no record`,
      zone: spf(`v=spf1 a include:${name} ip4:192.0.2.0/24 -all`),
      states: {
        spf_result: 'fail',
        ...(name.includes('{p}') && { spf_syntax: 'doubtful' }),
        ...dkimOnly,
      },
    }),
  ),
  ...['exists:%{p}.example.com', 'exp=%{p}.example.com'].map(
    (term): Case => ({
      about: `the macro p in ${term}`,
      zone: spf(`v=spf1 ${term} ip4:${IP} -all`),
      states: { spf_syntax: 'doubtful' },
    }),
  ),
  {
    about: 'redirect= by the macro p',
    zone: { ...spf('v=spf1 redirect=%{p}'), 'mail.example.com': { A: [IP], TXT: [RIGHT_SPF] } },
    states: { spf_syntax: 'doubtful' },
  },
  { about: '+all', zone: spf('v=spf1 +all'), states: { spf_all_qualifier: 'open' } },
  {
    about: '+all in an included record, and half of IPv4',
    zone: {
      ...spf('v=spf1 include:open.example.com ip4:192.0.0.0/7 -all'),
      'open.example.com': { TXT: ['v=spf1 +all'] },
    },
    states: { spf_all_qualifier: 'open' },
  },
  {
    about: '+all in an included record',
    zone: {
      ...spf('v=spf1 include:open.example.com -all'),
      'open.example.com': { TXT: ['v=spf1 +all'] },
    },
    states: { spf_all_qualifier: 'open' },
  },
  {
    about: 'half of IPv4',
    zone: spf('v=spf1 ip4:192.0.0.0/7 -all'),
    states: { spf_all_qualifier: 'open' },
  },
  {
    about: 'half of IPv6',
    zone: spf(`v=spf1 ip4:${IP} ip6:2001::/18 -all`),
    states: { spf_all_qualifier: 'open' },
  },
  {
    about: '?all behind the IP',
    zone: spf(`v=spf1 ip4:${IP} ?all`),
    states: { spf_all_qualifier: 'missing' },
  },
  { about: 'no all', zone: spf(`v=spf1 ip4:${IP}`), states: { spf_all_qualifier: 'missing' } },
  {
    about: '~all behind the IP, and DMARC only watching',
    zone: {
      ...spf(`v=spf1 ip4:${IP} ~all`),
      ...dmarc('v=DMARC1; p=none; rua=mailto:dmarc@example.com'),
    },
    states: { spf_all_qualifier: 'soft', dmarc_policy: 'none', bimi_dmarc_ready: 'not_enforced' },
  },
  {
    about: 'redirect= to no record',
    zone: spf('v=spf1 redirect=nothing.example.com'),
    states: { spf_result: 'fail', spf_all_qualifier: 'missing', ...dkimOnly },
  },
  {
    about: "~all at a provider's domain",
    from: { localPart: 'bounce', domain: 'a1.amazonses.com', smtputf8: false },
    zone: { 'a1.amazonses.com': { MX: ['10 mail.example.com'], TXT: [`v=spf1 ip4:${IP} ~all`] } },
    states: { spf_all_qualifier: 'soft', ...dkimOnly },
  },
  ...[
    ['a mechanism that nobody knows', `v=spf1 ip4:${IP} ipv4:192.0.2.1 -all`],
    ['typographic quotes', `v=spf1 ip4:${IP} include:\u201cexample.org\u201d -all`],
  ].map(
    ([about = '', record = '']): Case => ({
      about,
      zone: spf(record),
      states: { spf_syntax: 'broken', spf_result: 'left out', ...dkimOnly },
    }),
  ),
  ...[
    ['an en dash before all', 'v=spf1 mx \u2013all'],
    ['a minus sign apart from all', 'v=spf1 mx - all'],
    ['a term that lacks its name', 'v=spf1 mx a: -all'],
  ].map(
    ([about = '', record = '']): Case => ({
      about,
      zone: spf(record),
      states: { spf_syntax: 'broken', spf_result: 'left out', ...dkimOnly },
    }),
  ),
  {
    about: 'all twice, the open one first',
    zone: spf(`v=spf1 ip4:${IP} all -all`),
    states: { spf_syntax: 'broken', spf_all_qualifier: 'open' },
  },
  {
    about: 'a fault of the text that hides an include: of +all',
    zone: {
      ...spf(`v=spf1 ?ip4:${IP} includes:open.example.com a: -all`),
      'open.example.com': { TXT: ['v=spf1 +all'] },
    },
    states: {
      spf_syntax: 'broken',
      spf_result: 'left out',
      spf_all_qualifier: 'open',
      ...dkimOnly,
    },
  },
  {
    about: 'redirect= beside all',
    zone: spf(`v=spf1 ip4:${IP} redirect=r.example.com ?all`),
    states: { spf_all_qualifier: 'missing', spf_syntax: 'doubtful' },
  },
  {
    about: 'redirect= beside -all, without which the email passes',
    zone: {
      ...spf(`v=spf1 ip4:${IP} redirect=r.example.com -all`),
      'r.example.com': { TXT: ['v=spf1 ip4:198.51.100.0/24 -all'] },
    },
    states: { spf_syntax: 'doubtful' },
  },
  {
    about: 'two terms that the strings of the record run together',
    zone: {
      ...spf(['v=spf1 include:a.example.com', 'include:b.example.com -all']),
      'a.example.com': { TXT: ['v=spf1 ip4:198.51.100.0/24 -all'] },
      'b.example.com': { TXT: [RIGHT_SPF] },
    },
    states: { spf_result: 'fail', spf_syntax: 'doubtful', ...dkimOnly },
  },
  {
    about: 'a record that includes itself',
    zone: spf(`v=spf1 ip4:${IP} include:example.com -all`),
    states: { spf_lookup_limit: 'over' },
  },
  {
    about: 'as many networks as six records hold',
    zone: spf(
      `v=spf1 ${Array.from({ length: 120 }, (_, i) => `ip4:198.51.${i}.0/24`).join(' ')} ip4:${IP} -all`,
    ),
    states: { spf_syntax: 'doubtful' },
  },
  {
    about: 'terms after all',
    zone: spf(`v=spf1 ip4:${IP} -all mx`),
    states: { spf_syntax: 'broken' },
  },
  {
    about: 'the ptr mechanism',
    zone: spf(`v=spf1 ip4:${IP} ptr -all`),
    states: { spf_syntax: 'doubtful' },
  },
  {
    about: 'a record over 450 octets, most of it said before',
    zone: spf(`v=spf1 ip4:${IP} ${'ip4:203.0.113.1 '.repeat(30)}-all`),
    states: { spf_syntax: 'doubtful' },
  },
  {
    about: 'a record over 450 octets',
    zone: spf(`v=spf1 ip4:${IP} ${ranges(60)} -all`),
    states: { spf_syntax: 'doubtful' },
  },
  {
    about: 'a record over 450 octets whose order matters',
    zone: spf(`v=spf1 ip4:${IP} ${ranges(30)} -ip4:203.0.113.200 -all`),
    states: { spf_syntax: 'doubtful' },
  },
  {
    about: 'an upper-case version',
    zone: spf(`V=SPF1 ip4:${IP} -all`),
    states: { spf_syntax: 'doubtful' },
  },
  {
    about: 'a record of the old type 99 beside it',
    zone: { 'example.com': { ...ORIGIN, TXT: [RIGHT_SPF], SPF: [RIGHT_SPF] } },
    states: { spf_syntax: 'doubtful' },
  },
  {
    about: 'no SPF record at the HELO name',
    zone: { 'mail.example.com': { A: [IP] } },
    states: { spf_helo: 'absent' },
  },
];
