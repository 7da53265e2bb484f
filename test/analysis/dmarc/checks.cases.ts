/** Cases for each state of the DMARC checks. */

import type { DmarcFacts } from '../../../src/analysis/dmarc/facts.ts';
import type { Facts } from '../../../src/analysis/facts.ts';
import { unknown } from '../../../src/analysis/lookup-result.ts';
import { type Part, signed } from '../../support/mail/facts.ts';
import type { Case } from '../case.ts';

const dmarc = (
  value: Part<DmarcFacts>,
  report: Part<DmarcFacts['report']> = value.report ?? {},
): Part<Facts> => ({ dmarc: { value: { ...value, report } } });
const UNALIGNED = { spfAligned: false, dkimAligned: false };
const young = signed({ report: { algorithm: 'ed25519-sha256' } });
/** A signature that many receivers ignore. */
const YOUNG: Part<Facts> = { dkim: { value: { signatures: [young], total: 1 } } };
const tags = (...own: [string, string][]) => dmarc({ tags: own });
const silent = { dmarc: unknown('dns: TXT _dmarc.example.com: SERVFAIL') };
const ignored = dmarc({ ignoredBecause: 'two records', report: { policy: null } });

type Rua = NonNullable<DmarcFacts['report']['rua']>[number];
const near: Rua = { uri: 'mailto:d@example.com', external: false, authorized: null, has_mx: true };
const far: Rua = { uri: 'mailto:d@rua.example', external: true, authorized: true, has_mx: true };
const rua = (...all: Rua[]) => dmarc({ report: { rua: all } });

export const dmarcCases: readonly Case[] = [
  ['dmarc_alignment', 'pass 0'],
  ['dmarc_alignment', 'info 0 suggest', dmarc({ spfAligned: false })],
  ['dmarc_alignment', 'warn 5', dmarc({ dkimAligned: false })],
  ['dmarc_alignment', 'fail 45', dmarc(UNALIGNED)],
  ['dmarc_alignment', 'fail 45', dmarc(UNALIGNED, { effective_policy: 'quarantine' })],
  ['dmarc_alignment', 'fail 30', dmarc(UNALIGNED, { effective_policy: 'none' })],
  ['dmarc_alignment', 'fail 30', dmarc({ ...UNALIGNED, anyRecord: false }, { policy: null })],
  [
    'dmarc_alignment',
    'fail 45',
    dmarc(UNALIGNED, { effective_policy: 'none' }),
    { names: { fromDomain: 'gmail.com' } },
  ],
  [
    'dmarc_alignment',
    'fail 45',
    dmarc(UNALIGNED, { effective_policy: 'none' }),
    { spf: { value: { report: { result: 'softfail' } } }, dkim: { value: { signatures: [] } } },
  ],
  ['dmarc_alignment', 'warn 5', YOUNG],
  ['dmarc_alignment', 'fail 30', dmarc({ spfAligned: false }), YOUNG],
  ['dmarc_alignment', 'unknown', dmarc({ spfAligned: false, dkimAligned: false, decided: false })],
  ['dmarc_alignment', 'pass 0', dmarc({ spfAligned: false, decided: false })],
  ['dmarc_alignment', 'pass 0', dmarc({ dkimAligned: false, decided: false })],
  ['dmarc_alignment', 'unknown', silent],

  ['dmarc_record', 'pass 0'],
  ['dmarc_record', 'pass 0', ignored],
  ['dmarc_record', 'fail 14', dmarc({ anyRecord: false })],
  ['dmarc_record', 'unknown', silent],

  ['dmarc_record_valid', 'pass 0'],
  ['dmarc_record_valid', 'warn 2', dmarc({ lint: ['unknown tag foo'] })],
  ['dmarc_record_valid', 'fail 14', ignored],

  ['dmarc_policy', 'pass 0'],
  ['dmarc_policy', 'info 0 suggest', dmarc({ report: { effective_policy: 'quarantine' } })],
  ['dmarc_policy', 'warn 3', dmarc({ report: { effective_policy: 'none' } })],
  ['dmarc_policy', 'left out', ignored],
  // Which of `np=` and `sp=` applies depends on what was not answered.
  ['dmarc_policy', 'unknown', dmarc({ report: { effective_policy: null } })],

  ['dmarc_subdomain_policy', 'pass 0'],
  ['dmarc_subdomain_policy', 'pass 0', tags(['p', 'none'], ['sp', 'reject'], ['np', 'reject'])],
  ['dmarc_subdomain_policy', 'info 0 suggest', tags(['p', 'none'], ['sp', 'none'])],
  ['dmarc_subdomain_policy', 'warn 2', tags(['p', 'reject'], ['sp', 'quarantine'])],
  ['dmarc_subdomain_policy', 'warn 2', tags(['p', 'reject'], ['sp', 'reject'], ['np', 'none'])],
  [
    'dmarc_subdomain_policy',
    'pass 0',
    tags(['p', 'reject'], ['sp', 'none']),
    dmarc({ report: { record_domain: 'a.example.com', organizational_domain: 'example.com' } }),
  ],
  ['dmarc_subdomain_policy', 'left out', ignored],

  ['dmarc_rua', 'pass 0'],
  ['dmarc_rua', 'pass 0', rua(far)],
  ['dmarc_rua', 'pass 0', rua({ ...near, has_mx: false }, far)],
  ['dmarc_rua', 'warn 2', rua()],
  ['dmarc_rua', 'warn 2', rua({ ...near, uri: 'https://example.com/' })],
  ['dmarc_rua', 'warn 2', rua({ ...near, has_mx: false })],
  ['dmarc_rua', 'warn 2', rua({ ...far, authorized: false })],
  ['dmarc_rua', 'unknown', rua({ ...near, has_mx: null })],
  ['dmarc_rua', 'unknown', rua({ ...far, authorized: null })],
  ['dmarc_rua', 'pass 0', rua({ ...far, authorized: null }, near)],
  ['dmarc_rua', 'unknown', dmarc({ report: { rua: undefined } as object })],
  ['dmarc_rua', 'left out', ignored],

  ['dmarc_legacy_tags', 'pass 0'],
  ['dmarc_legacy_tags', 'info 0 suggest', tags(['p', 'reject'], ['pct', '100'])],
  ['dmarc_legacy_tags', 'warn 1', tags(['p', 'reject'], ['pct', '99'])],
  ['dmarc_legacy_tags', 'warn 1', tags(['p', 'none'], ['sp', 'reject'], ['pct', '99'])],
  ['dmarc_legacy_tags', 'info 0 suggest', tags(['p', 'none'], ['pct', '99'])],
  ['dmarc_legacy_tags', 'info 0 suggest', tags(['p', 'reject'], ['ri', '86400'])],
  ['dmarc_legacy_tags', 'info 0 suggest', tags(['p', 'reject'], ['rf', 'afrf'])],
  ['dmarc_legacy_tags', 'info 0 suggest', tags(['rua', 'mailto:d@example.com!10m'])],
  ['dmarc_legacy_tags', 'left out', ignored],

  ['dmarc_inherited', 'pass 0'],
  ['dmarc_inherited', 'info 0', dmarc({ inherited: true })],
  ['dmarc_inherited', 'left out', ignored],
];
