/** Cases for each state of the SPF checks. */

import type { Facts } from '../../../src/analysis/facts.ts';
import { unknown } from '../../../src/analysis/lookup-result.ts';
import type { SpfFacts } from '../../../src/analysis/spf/facts.ts';
import type { Part } from '../../support/mail/facts.ts';
import type { Case } from '../case.ts';

const spf = (value: Part<SpfFacts>): Part<Facts> => ({ spf: { value } });
const result = (word: SpfFacts['report']['result']) => spf({ report: { result: word } });
const silent = { spf: unknown('dns: TXT example.com: SERVFAIL') };
const two = ['v=spf1 ip4:192.0.2.25 -all', 'v=spf1 include:spf.example.net ~all'];
const gone = [
  {
    term: 'include:old.example.com',
    why: 'no SPF records at old.example.com',
    cause: 'absent',
    isOfSender: false,
  },
] as const;
const wide = [{ term: 'ip4:0.0.0.0/1', top: 'ip4:0.0.0.0/1' }];
const fault = (severity: 'fail' | 'warn') =>
  spf({ syntaxFaults: [{ severity, bad: 'ip:192.0.2.25' }] });

export const spfCases: readonly Case[] = [
  ['spf_record', 'pass 0'],
  ['spf_record', 'fail 12', spf({ report: { record: null, records: [] } })],
  ['spf_record', 'warn 3', spf({ report: { scope: 'helo', record: null, records: [] } })],
  ['spf_record', 'unknown', silent],

  ['spf_multiple_records', 'pass 0'],
  ['spf_multiple_records', 'fail 12', spf({ report: { records: two } })],

  ['spf_result', 'pass 0'],
  ['spf_result', 'fail 12', result('fail')],
  ['spf_result', 'fail 12', result('permerror')],
  ['spf_result', 'warn 12', result('softfail')],
  ['spf_result', 'warn 12', result('neutral')],
  ['spf_result', 'unknown', result('temperror')],
  ['spf_result', 'left out', spf({ report: { result: 'permerror', lookups: 11 } })],
  ['spf_result', 'fail 12', spf({ report: { result: 'permerror', lookups: 10 } })],
  ['spf_result', 'left out', spf({ report: { result: 'permerror', void_lookups: 3 } })],
  ['spf_result', 'left out', spf({ report: { result: 'permerror', records: two } })],
  ['spf_result', 'left out', result('permerror'), fault('fail')],
  ['spf_result', 'fail 12', result('permerror'), fault('warn')],
  [
    'spf_result',
    'fail 12',
    spf({
      report: { result: 'permerror' },
      brokenTerms: [
        {
          term: 'include:text.example',
          why: 'no SPF records at text.example',
          cause: 'absent',
          isOfSender: false,
        },
      ],
    }),
    fault('fail'),
  ],

  ['spf_lookup_limit', 'pass 0', spf({ report: { lookups: 8 } })],
  ['spf_lookup_limit', 'info 0 suggest', spf({ report: { lookups: 9 } })],
  ['spf_lookup_limit', 'info 0 suggest', spf({ report: { lookups: 10 } })],
  ['spf_lookup_limit', 'fail 12', spf({ report: { lookups: 11 } })],
  ['spf_lookup_limit', 'unknown', spf({ report: { lookups: undefined } as object })],

  ['spf_lookup_limit', 'left out', spf({ report: { records: two } })],

  ['spf_void_lookups', 'pass 0', spf({ report: { void_lookups: 2 } })],
  [
    'spf_void_lookups',
    'warn 12',
    spf({
      report: { void_lookups: 3 },
      voidTerms: [
        { term: 'a:gone.example', top: 'a:gone.example', isOfSender: false, instead: [] },
      ],
    }),
  ],
  ['spf_void_lookups', 'pass 0', spf({ voidQueries: 2 })],
  ['spf_void_lookups', 'info 0', spf({ voidQueries: 3 })],
  ['spf_void_lookups', 'unknown', spf({ report: { void_lookups: undefined } as object })],

  ['spf_all_qualifier', 'left out', spf({ effectiveAll: null, report: { records: two } })],
  ['spf_all_qualifier', 'pass 0', spf({ effectiveAll: '-' })],
  ['spf_all_qualifier', 'pass 0', spf({ effectiveAll: '~' })],
  ...[
    { effective_policy: 'none' },
    { effective_policy: 'reject', testing: true },
    { effective_policy: null },
  ].map(
    (report): Case => [
      'spf_all_qualifier',
      'info 0',
      spf({ effectiveAll: '~' }),
      { dmarc: { value: { report } } } as Part<Facts>,
    ],
  ),
  [
    'spf_all_qualifier',
    'info 0',
    spf({ effectiveAll: '~', report: { domain: 'bounce.example.net' } }),
  ],
  ['spf_all_qualifier', 'warn 4', spf({ effectiveAll: '?' })],
  ['spf_all_qualifier', 'warn 4', spf({ effectiveAll: null })],
  ['spf_all_qualifier', 'fail 10', spf({ effectiveAll: '+' })],
  ['spf_all_qualifier', 'fail 10', spf({ wideTerms: wide })],
  ['spf_all_qualifier', 'unknown', spf({ effectiveAll: 'unknown' })],
  // An include that did not answer may admit everyone, and excludes nobody.
  ['spf_all_qualifier', 'unknown', spf({ report: { lookups: undefined } as object })],
  [
    'spf_all_qualifier',
    'warn 4',
    spf({ effectiveAll: '?', report: { lookups: undefined } as object }),
  ],
  ['spf_all_qualifier', 'fail 10', spf({ effectiveAll: 'unknown', wideTerms: wide })],

  ['spf_syntax', 'left out', spf({ report: { records: two } })],
  ['spf_syntax', 'pass 0'],
  ['spf_syntax', 'warn 2', fault('warn')],
  ['spf_syntax', 'warn 3', spf({ brokenTerms: gone })],
  ['spf_syntax', 'pass 0', spf({ brokenTerms: [{ ...gone[0], isOfSender: true }] })],
  ['spf_syntax', 'pass 0', spf({ brokenTerms: [{ ...gone[0], cause: 'loop' }] })],
  ['spf_syntax', 'fail 12', fault('fail')],

  ['spf_helo', 'pass 0'],
  ['spf_helo', 'info 0 suggest', spf({ helo: { value: { result: 'none', record: null } } })],
  ['spf_helo', 'unknown', spf({ helo: unknown('dns: TXT mail.example.com: SERVFAIL') })],
  ['spf_helo', 'unknown', spf({ helo: { value: { result: 'temperror' } } })],
  ['spf_helo', 'unknown', silent],
  ['spf_helo', 'left out', { names: { helo: '[192.0.2.25]' } }],
  ['spf_helo', 'left out', { names: { helo: 'mail.shop.local' } }],
  ['spf_helo', 'left out', { names: { helo: null } }],
];
