/** Cases for each state of the ARC and BIMI checks. */

import type { BimiFacts } from '../../../src/analysis/bimi/facts.ts';
import type { Facts } from '../../../src/analysis/facts.ts';
import { unknown } from '../../../src/analysis/lookup-result.ts';
import type { Part } from '../../support/mail/facts.ts';
import type { Case } from '../case.ts';

const bimi = (value: Part<BimiFacts>): Part<Facts> => ({ bimi: { value } });
const arc = (result: 'none' | 'pass' | 'fail' | 'temperror'): Part<Facts> => ({
  arc: { value: { report: { result, sets: 1 }, sealer: 'list.example', fault: null } },
});
const ours = unknown('https: logo of example.com: time-out');

/** A domain that sends and receives nothing, and whose records say so. */
const parked: Part<Facts> = {
  names: { fromMx: { value: { mx: [], nullMx: true } } },
  spf: { value: { report: { record: 'v=spf1 -all' } } },
  dmarc: { value: { report: { policy: 'reject' } } },
};

export const arcBimiCases: readonly Case[] = [
  ['arc_chain', 'pass 0', arc('pass')],
  ['arc_chain', 'info 0', arc('none')],
  ['arc_chain', 'warn 0', arc('fail')],
  ['arc_chain', 'unknown', arc('temperror')],
  ['arc_chain', 'unknown', { arc: unknown('arc: a body line is too long') }],

  ['bimi_record', 'pass 0'],
  ['bimi_record', 'info 0', bimi({ declined: true, report: { result: 'declined' } })],
  ['bimi_record', 'info 0 suggest', bimi({ report: { result: 'none', record: null } })],
  ['bimi_record', 'warn 0', bimi({ recordFault: 'two records' })],
  ['bimi_record', 'unknown', bimi({ report: { result: 'temperror', record: null } })],
  ['bimi_record', 'unknown', { bimi: unknown('dns: TXT default._bimi.example.com: SERVFAIL') }],

  ['bimi_record', 'left out', { names: { fromDomain: null } }],
  ['bimi_record', 'left out', bimi({ report: { result: 'none', record: null } }), parked],
  [
    'bimi_record',
    'info 0 suggest',
    bimi({ report: { result: 'none', record: null } }),
    { ...parked, spf: { value: { report: { record: 'v=spf1 mx -all' } } } },
  ],

  ['bimi_dmarc_ready', 'pass 0'],
  ['bimi_dmarc_ready', 'warn 0', bimi({ report: { dmarc_ready: false } })],
  ['bimi_dmarc_ready', 'warn 0', bimi({ organizationalDomainReady: false })],
  ['bimi_dmarc_ready', 'unknown', bimi({ organizationalDomainReady: null })],
  [
    'bimi_dmarc_ready',
    'unknown',
    bimi({ report: { dmarc_ready: false } }),
    { dmarc: unknown('dns: TXT _dmarc.example.com: SERVFAIL') },
  ],

  ['bimi_logo', 'pass 0'],
  ['bimi_logo', 'info 0 suggest', bimi({ logo: { value: 'not_square' } })],
  ['bimi_logo', 'warn 0', bimi({ logo: { value: 'invalid' } })],
  ['bimi_logo', 'unknown', bimi({ logo: ours })],

  ['bimi_certificate', 'pass 0'],
  ['bimi_certificate', 'info 0 suggest', bimi({ certificate: { value: 'absent' } })],
  ['bimi_certificate', 'warn 0', bimi({ certificate: { value: 'invalid' } })],
  ['bimi_certificate', 'unknown', bimi({ certificate: ours })],
];
