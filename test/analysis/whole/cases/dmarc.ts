/** Cases of complete emails with various DMARC records and alignments. */

import { IP } from '../../../support/mail/inspection-environment.ts';
import { type Case, NO_DOORS } from '../case.ts';
import { keyRecord, signature } from '../keys.ts';
import { newsletter } from '../mails.ts';
import { dmarc, ORIGIN, RIGHT_SPF } from '../zone.ts';

const RUA = 'rua=mailto:dmarc@example.com';
const FAR = 'rua=mailto:dmarc@reports.example.net';

/** A bounce domain elsewhere whose SPF passes. */
const elsewhere = {
  from: { localPart: 'bounce', domain: 'esp.example', smtputf8: false },
  zone: { 'esp.example': { MX: ['10 mail.example.com'], TXT: [`v=spf1 ip4:${IP} -all`] } },
} as const;

const behind = {
  dmarc_record_valid: 'left out',
  dmarc_policy: 'left out',
  dmarc_subdomain_policy: 'left out',
  dmarc_rua: 'left out',
  dmarc_legacy_tags: 'left out',
  dmarc_inherited: 'left out',
} as const;

/** A record that receivers ignore has no policy, so no logo is shown. */
const ignored = {
  ...behind,
  dmarc_record_valid: 'ignored',
  bimi_dmarc_ready: 'not_enforced',
} as const;

const subdomain = newsletter({ From: 'Example Shop <news@shop.example.com>' });

export const dmarcCases: readonly Case[] = [
  {
    about: 'nothing is aligned: a shared domain signs and takes the bounces',
    ...elsewhere,
    signatures: [signature({ d: 'esp.example' })],
    zone: { ...elsewhere.zone, 's1._domainkey.esp.example': { TXT: [keyRecord] } },
    states: { dmarc_alignment: 'refused' },
  },
  {
    about: 'nothing is aligned, and there is no record',
    ...elsewhere,
    signatures: [signature({ d: 'esp.example' })],
    zone: {
      ...elsewhere.zone,
      's1._domainkey.esp.example': { TXT: [keyRecord] },
      '_dmarc.example.com': null,
    },
    states: {
      dmarc_alignment: 'unaligned',
      dmarc_record: 'absent',
      ...behind,
      bimi_dmarc_ready: 'not_enforced',
    },
  },
  {
    about: 'only SPF is aligned',
    signatures: [signature({ d: 'esp.example' })],
    zone: { 's1._domainkey.esp.example': { TXT: [keyRecord] } },
    states: { dmarc_alignment: 'spf_only' },
  },
  { about: 'only DKIM is aligned', ...elsewhere, states: { dmarc_alignment: 'dkim_only' } },
  {
    about: 'aligned in the relaxed way only, where the record wants strict',
    from: { localPart: 'bounce', domain: 'bounce.example.com', smtputf8: false },
    zone: {
      'bounce.example.com': { MX: ['10 mail.example.com'], TXT: [`v=spf1 ip4:${IP} -all`] },
      ...dmarc(`v=DMARC1; p=reject; aspf=s; ${RUA}`),
    },
    states: { dmarc_alignment: 'dkim_only' },
  },
  {
    about: 'no record',
    zone: { '_dmarc.example.com': null },
    states: { dmarc_record: 'absent', ...behind, bimi_dmarc_ready: 'not_enforced' },
  },
  {
    about: 'a record at the domain itself',
    zone: {
      '_dmarc.example.com': null,
      'example.com': { ...ORIGIN, TXT: [RIGHT_SPF, `v=DMARC1; p=reject; ${RUA}`] },
    },
    states: { dmarc_record: 'absent', ...behind, bimi_dmarc_ready: 'not_enforced' },
  },
  {
    about: 'an alias of a provider at a name that has the domain twice',
    zone: {
      '_dmarc.example.com': null,
      '_dmarc.example.com.example.com': { CNAME: 'dmarc.provider.example' },
      'dmarc.provider.example': { TXT: [`v=DMARC1; p=reject; ${RUA}`] },
    },
    states: { dmarc_record: 'absent', ...behind, bimi_dmarc_ready: 'not_enforced' },
  },
  {
    about: 'the name of the record as a text instead of a CNAME',
    zone: {
      '_dmarc.example.com': { TXT: ['dmarc.provider.example'] },
      'dmarc.provider.example': { TXT: [`v=DMARC1; p=reject; ${RUA}`] },
    },
    states: { dmarc_record: 'absent', ...behind, bimi_dmarc_ready: 'not_enforced' },
  },
  {
    about: 'no record, and a subdomain whose organization signs',
    mail: subdomain,
    zone: {
      '_dmarc.example.com': null,
      'default._bimi.example.com': null,
      'shop.example.com': ORIGIN,
    },
    states: {
      dmarc_alignment: 'unaligned',
      dmarc_record: 'absent',
      ...behind,
      bimi_record: 'absent',
      bimi_dmarc_ready: 'left out',
      bimi_logo: 'left out',
      bimi_certificate: 'left out',
      mta_sts: 'absent',
      tls_rpt: 'absent',
    },
  },
  {
    about: 'psd=y at an ordinary domain, with a return path below it',
    from: { localPart: 'bounce', domain: 'bounce.example.com', smtputf8: false },
    zone: {
      'bounce.example.com': { A: [IP], TXT: [`v=spf1 ip4:${IP} -all`] },
      ...dmarc(`v=DMARC1; p=reject; psd=y; ${RUA}`),
    },
    states: { dmarc_alignment: 'dkim_only', dmarc_record_valid: 'faulty' },
  },
  {
    about: 'psd=y at an ordinary domain, under which another name signs',
    from: { localPart: 'bounce', domain: 'bounce.example.com', smtputf8: false },
    signatures: [signature({ d: 'mail.example.com' })],
    zone: {
      'bounce.example.com': { A: [IP], TXT: [`v=spf1 ip4:${IP} -all`] },
      's1._domainkey.mail.example.com': { TXT: [keyRecord] },
      ...dmarc(`v=DMARC1; p=reject; psd=y; ${RUA}`),
    },
    states: { dmarc_alignment: 'refused', dmarc_record_valid: 'faulty' },
  },
  {
    about: 'another TXT record instead of this one',
    zone: dmarc('hello'),
    states: { dmarc_record: 'absent', ...behind, bimi_dmarc_ready: 'not_enforced' },
  },
  {
    about: 'two records at one name',
    zone: dmarc(`v=DMARC1; p=reject; ${RUA}`, 'v=DMARC1; p=none'),
    states: ignored,
  },
  ...[
    `v=dmarc1; p=reject; ${RUA}`,
    `"v=DMARC1; p=reject; ${RUA}"`,
    `v=DMARC1, p=reject, ${RUA}`,
    'p=reject; v=DMARC1',
    'v=DMARC1 p=reject',
    `p=reject; ${RUA}`,
    'v=DMARC1; v=DMARC1; rua=dmarc@example.com',
  ].map(
    (record): Case => ({
      about: `receivers do not use ${record}`,
      zone: dmarc(record),
      states: ignored,
    }),
  ),
  { about: 'p= unusable and no rua=', zone: dmarc('v=DMARC1; p=always'), states: ignored },
  {
    about: 'p= unusable, but rua= is there',
    zone: dmarc(`v=DMARC1; p=always; ${RUA}`),
    states: {
      dmarc_record_valid: 'faulty',
      dmarc_policy: 'none',
      bimi_dmarc_ready: 'not_enforced',
    },
  },
  {
    about: 'sp= unusable under p=reject',
    zone: dmarc(`v=DMARC1; p=reject; sp=rejct; ${RUA}`),
    states: {
      dmarc_record_valid: 'faulty',
      dmarc_policy: 'none',
      bimi_dmarc_ready: 'not_enforced',
    },
  },
  {
    about: 'p= missing',
    zone: dmarc(`v=DMARC1; ${RUA}`),
    states: {
      dmarc_record_valid: 'faulty',
      dmarc_policy: 'none',
      bimi_dmarc_ready: 'not_enforced',
    },
  },
  {
    about: 'p=none and no rua=',
    zone: dmarc('v=DMARC1; p=none'),
    states: { dmarc_policy: 'none', dmarc_rua: 'undeliverable', bimi_dmarc_ready: 'not_enforced' },
  },
  {
    about: 'p=quarantine and no rua=',
    zone: dmarc('v=DMARC1; p=quarantine'),
    states: { dmarc_policy: 'quarantine', dmarc_rua: 'undeliverable' },
  },
  {
    about: 'sp=none under p=reject, and no rua=',
    zone: dmarc('v=DMARC1; p=reject; sp=none'),
    states: {
      dmarc_subdomain_policy: 'weaker',
      dmarc_rua: 'undeliverable',
      bimi_dmarc_ready: 'not_enforced',
    },
  },
  ...[
    ['an unknown tag', [`v=DMARC1; p=reject; ${RUA}; x=y`]],
    ['a repeated tag', [`v=DMARC1; p=reject; adkim=r; adkim=r; ${RUA}`]],
    ['p= in third place', [`v=DMARC1; ${RUA}; p=reject`]],
    ['an unrelated TXT beside it', [`v=DMARC1; p=reject; ${RUA}`, 'hello']],
  ].map(
    ([about, records]): Case => ({
      about: String(about),
      zone: dmarc(...(records as string[])),
      states: { dmarc_record_valid: 'faulty' },
    }),
  ),
  {
    about: 'p=none',
    zone: dmarc(`v=DMARC1; p=none; ${RUA}`),
    states: { dmarc_policy: 'none', bimi_dmarc_ready: 'not_enforced' },
  },
  {
    about: 'quarantine lowered by t=y',
    zone: dmarc(`v=DMARC1; p=quarantine; t=y; ${RUA}`),
    states: { dmarc_policy: 'none', bimi_dmarc_ready: 'not_enforced' },
  },
  {
    about: 'reject lowered by t=y',
    zone: dmarc(`v=DMARC1; p=reject; t=y; ${RUA}`),
    states: { dmarc_policy: 'quarantine', bimi_dmarc_ready: 'not_enforced' },
  },
  {
    about: 'p=quarantine',
    zone: dmarc(`v=DMARC1; p=quarantine; ${RUA}`),
    states: { dmarc_policy: 'quarantine' },
  },
  {
    about: 'mail of a subdomain, sp=none under p=reject',
    mail: subdomain,
    zone: { ...dmarc(`v=DMARC1; p=reject; sp=none; ${RUA}`), 'shop.example.com': ORIGIN },
    states: {
      dmarc_policy: 'none',
      dmarc_subdomain_policy: 'weaker',
      dmarc_inherited: 'inherited',
      bimi_dmarc_ready: 'not_enforced',
      mta_sts: 'absent',
      tls_rpt: 'absent',
    },
  },
  {
    about: 'mail of a name that does not exist, np=none under p=reject',
    mail: newsletter({ From: 'Example Shop <news@ghost.example.com>' }),
    zone: dmarc(`v=DMARC1; p=reject; np=none; ${RUA}`),
    states: {
      dmarc_policy: 'none',
      dmarc_subdomain_policy: 'weaker',
      dmarc_inherited: 'inherited',
      mta_sts: 'left out',
      tls_rpt: 'left out',
      ...NO_DOORS,
      from_domain_mx: 'no_such_domain',
    },
  },
  {
    about: 'strict alignment, signed and bounced by subdomains',
    signatures: [signature({ d: 'mail.example.com' })],
    from: { localPart: 'bounce', domain: 'mail.example.com', smtputf8: false },
    zone: {
      ...dmarc(`v=DMARC1; p=reject; adkim=s; aspf=s; ${RUA}`),
      's1._domainkey.mail.example.com': { TXT: [keyRecord] },
    },
    states: { dmarc_alignment: 'refused' },
  },
  {
    about: 'strict alignment of SPF, bounces at a subdomain',
    from: { localPart: 'bounce', domain: 'mail.example.com', smtputf8: false },
    zone: dmarc(`v=DMARC1; p=reject; aspf=s; ${RUA}`),
    states: { dmarc_alignment: 'dkim_only' },
  },
  {
    about: 'sp=none under p=reject',
    zone: dmarc(`v=DMARC1; p=reject; sp=none; ${RUA}`),
    states: { dmarc_subdomain_policy: 'weaker', bimi_dmarc_ready: 'not_enforced' },
  },
  {
    about: 'np=quarantine under p=reject',
    zone: dmarc(`v=DMARC1; p=reject; np=quarantine; ${RUA}`),
    states: { dmarc_subdomain_policy: 'weaker' },
  },
  {
    about: 'sp= without np=',
    zone: dmarc(`v=DMARC1; p=quarantine; sp=quarantine; ${RUA}`),
    states: { dmarc_policy: 'quarantine', dmarc_subdomain_policy: 'np_missing' },
  },
  { about: 'no rua=', zone: dmarc('v=DMARC1; p=reject'), states: { dmarc_rua: 'undeliverable' } },
  {
    about: 'rua= that is no mailto:',
    zone: dmarc('v=DMARC1; p=reject; rua=https://example.com/r'),
    states: { dmarc_rua: 'undeliverable' },
  },
  ...[
    'mailto:dmarc',
    'mailto: dmarc@example.com',
    'dmarc@example.com',
    'mailto:<img/src=x>@example.com',
    'mailto:a@example.com mailto:b@example.com',
  ].map(
    (uri): Case => ({
      about: `rua=${uri}`,
      zone: dmarc(`v=DMARC1; p=reject; rua=${uri}`),
      states: { dmarc_rua: 'undeliverable' },
    }),
  ),
  {
    about: 'rua= at the domain of the record, which accepts no email',
    zone: {
      'example.com': { NS: ['ns1.provider.example'], TXT: [RIGHT_SPF] },
    },
    states: {
      ...{ dane: 'left out', mx_ipv6: 'left out', mx_starttls: 'left out' },
      ...{ mx_certificate: 'left out', dmarc_rua: 'undeliverable' },
      ...{ from_domain_mx: 'unreachable', envelope_domain_mx: 'no_such_domain' },
    },
  },
  {
    about: 'rua= to a domain without MX',
    zone: dmarc('v=DMARC1; p=reject; rua=mailto:a@nowhere.example.com'),
    states: { dmarc_rua: 'undeliverable' },
  },
  {
    about: 'rua= elsewhere that is not authorized',
    zone: { ...dmarc(`v=DMARC1; p=reject; ${FAR}`), 'reports.example.net': ORIGIN },
    states: { dmarc_rua: 'undeliverable' },
  },
  {
    about: 'one good rua= beside an invalid one',
    zone: dmarc(`v=DMARC1; p=reject; ${RUA},dmarc@example.com`),
    states: { dmarc_record_valid: 'faulty' },
  },
  {
    about: 'pct=50',
    zone: dmarc(`v=DMARC1; p=reject; pct=50; ${RUA}`),
    states: { dmarc_legacy_tags: 'pct_below_100' },
  },
  ...[
    ['pct=100', `pct=100; ${RUA}`],
    ['rf=', `rf=afrf; ${RUA}`],
    ['ri=', `ri=3600; ${RUA}`],
    ['a size after rua=', `${RUA}!10m`],
  ].map(
    ([about = '', tags = '']): Case => ({
      about,
      zone: dmarc(`v=DMARC1; p=reject; ${tags}`),
      states: { dmarc_legacy_tags: 'obsolete' },
    }),
  ),
  {
    about: 'a policy from the organizational domain',
    mail: subdomain,
    zone: { 'shop.example.com': ORIGIN },
    states: { dmarc_inherited: 'inherited', mta_sts: 'absent', tls_rpt: 'absent' },
  },
  {
    about: 'a record of the subdomain itself',
    mail: subdomain,
    zone: {
      'shop.example.com': ORIGIN,
      '_dmarc.shop.example.com': { TXT: [`v=DMARC1; p=reject; ${RUA}`] },
    },
    states: { mta_sts: 'absent', tls_rpt: 'absent' },
  },
];
