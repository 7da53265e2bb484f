/** Cases of complete emails whose DNS names are aliases, wildcards or delegated to others. */

import { IP } from '../../../support/mail/inspection-environment.ts';
import type { Case, Names } from '../case.ts';
import { keyRecord } from '../keys.ts';
import { KEY, ORIGIN, RIGHT_SPF } from '../zone.ts';

/** A name whose records are those of another name, as providers set it up. */
const alias = (name: string, ...TXT: string[]): Names => ({
  [name]: { CNAME: `${name}.provider.example` },
  [`${name}.provider.example`]: { TXT },
});

/** A name for which someone else's servers answer, at it or above it. */
const delegated = (name: string, at: string, ...TXT: string[]): Names => ({
  [name]: { TXT },
  [at]: { ...(at === name && { TXT }), NS: ['ns1.vendor.example', 'ns2.vendor.example'] },
});

export const aliasCases: readonly Case[] = [
  {
    about: 'a DMARC record whose name is delegated, p=none',
    zone: delegated(
      '_dmarc.example.com',
      '_dmarc.example.com',
      'v=DMARC1; p=none; rua=mailto:dmarc@example.com',
    ),
    states: { dmarc_policy: 'none', bimi_dmarc_ready: 'not_enforced' },
  },
  {
    about: 'keys in a zone that is delegated, and none at the selector',
    zone: {
      ...delegated('s7._domainkey.example.com', '_domainkey.example.com', keyRecord),
      [KEY]: null,
    },
    states: {
      dkim_valid: 'none_valid',
      dkim_key_size: 'left out',
      dkim_key_testing: 'left out',
      dkim_key_record: 'left out',
      dmarc_alignment: 'spf_only',
      one_click_signed: 'unsigned',
    },
  },
  {
    about: 'a return-path whose zone is delegated, without the IP',
    from: { localPart: 'bounce', domain: 'bounce.example.com', smtputf8: false },
    zone: delegated('bounce.example.com', 'bounce.example.com', 'v=spf1 ip4:192.0.2.1 -all'),
    states: {
      spf_result: 'fail',
      envelope_domain_mx: 'no_such_domain',
      dmarc_alignment: 'dkim_only',
    },
  },
  {
    about: 'a key behind an alias, in test mode',
    zone: alias(KEY, `${keyRecord}; t=y`),
    states: { dkim_key_testing: 'testing' },
  },
  {
    about: 'a DMARC record behind an alias, p=none',
    zone: alias('_dmarc.example.com', 'v=DMARC1; p=none; rua=mailto:dmarc@example.com'),
    states: { dmarc_policy: 'none', bimi_dmarc_ready: 'not_enforced' },
  },
  {
    about: 'a DMARC record among the texts of the domain, to which its name leads',
    zone: {
      '_dmarc.example.com': { CNAME: 'example.com' },
      'example.com': {
        ...ORIGIN,
        TXT: [RIGHT_SPF, 'v=DMARC1; p=reject; rua=mailto:dmarc@example.com', 'verification=1'],
      },
    },
    states: { dmarc_record_valid: 'faulty' },
  },
  {
    about: 'an alias of no DMARC record',
    zone: { ...alias('_dmarc.example.com'), 'x._dmarc.example.com.provider.example': {} },
    states: {
      dmarc_record: 'absent',
      dmarc_record_valid: 'left out',
      dmarc_policy: 'left out',
      dmarc_subdomain_policy: 'left out',
      dmarc_rua: 'left out',
      dmarc_legacy_tags: 'left out',
      dmarc_inherited: 'left out',
      bimi_dmarc_ready: 'not_enforced',
    },
  },
  {
    about: 'a return-path that is an alias of a record without the IP',
    from: { localPart: 'bounce', domain: 'bounce.example.com', smtputf8: false },
    zone: alias('bounce.example.com', 'v=spf1 ip4:192.0.2.1 -all'),
    states: {
      spf_result: 'fail',
      envelope_domain_mx: 'no_such_domain',
      dmarc_alignment: 'dkim_only',
    },
  },
  {
    about: 'a HELO name that is an alias of a host without a record',
    client: { helo: 'out.example.com' },
    zone: {
      'out.example.com': { CNAME: 'host.provider.example' },
      'host.provider.example': { A: [IP] },
      '25.2.0.192.in-addr.arpa': { PTR: ['out.example.com'] },
    },
    states: { spf_helo: 'absent' },
  },
  {
    about: 'records of MTA-STS and TLS-RPT behind aliases, both broken',
    zone: {
      ...alias('_mta-sts.example.com', 'v=STSv1;'),
      ...alias('_smtp._tls.example.com', 'v=TLSRPTv1;'),
    },
    states: { mta_sts: 'broken', tls_rpt: 'broken' },
  },
  {
    about: 'a BIMI record behind an alias, broken',
    zone: alias('default._bimi.example.com', 'v=BIMI1; l=http://brand.example.com/logo.svg'),
    states: {
      bimi_record: 'broken',
      bimi_dmarc_ready: 'left out',
      bimi_logo: 'left out',
      bimi_certificate: 'left out',
    },
  },
  {
    about: 'an include: of an alias, and the IP behind -all',
    zone: {
      'example.com': {
        ...ORIGIN,
        TXT: ['v=spf1 include:alias.example.com -all'],
      },
      ...alias('alias.example.com', RIGHT_SPF.replace(IP, '192.0.2.1')),
    },
    states: { spf_result: 'fail', dmarc_alignment: 'dkim_only' },
  },
];
