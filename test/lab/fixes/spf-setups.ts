/**
 * Generates emails and DNS zones with faulty SPF records, on which the advised fixes are tried: each usual
 * mistake in each of some records, and records with several faults.
 */

import type { Names } from '../../analysis/whole/case.ts';
import { ORIGIN } from '../../analysis/whole/zone.ts';
import { IP } from '../../support/mail/inspection-environment.ts';
import type { Setup } from './setup.ts';

/** The names to which the terms lead. */
export const spfAround: Names = {
  '_spf.a.example': { TXT: ['v=spf1 ip4:198.51.100.0/28 -all'] },
  '_spf.b.example': { TXT: ['v=spf1 ip4:203.0.113.0/28 ~all'] },
  'web.example.com': { A: ['198.51.100.77'] },
  'soft.example': { TXT: ['v=spf1 ip4:192.0.2.9 ~all'] },
};

type Mutate = (terms: readonly string[], end: string) => readonly string[];

const record = (terms: readonly string[], end: string) =>
  ['v=spf1', ...terms, end].join(' ').trim();
const one = (text: string) => [text];

/** Things that people do to a record. */
export const SPF_FAULTS: Readonly<Record<string, Mutate>> = {
  right: (terms, end) => one(record(terms, end)),
  commas: (terms, end) => one(`v=spf1 ${terms.join(',')} ${end}`),
  glued: (terms, end) => one(`v=spf1${terms.join(' ')} ${end}`),
  quoted: (terms, end) => one(`"${record(terms, end)}"`),
  capitals: (terms, end) => one(record(terms, end).toUpperCase().replace('V=SPF1', 'v=spf1')),
  neutral: (terms) => one(record(terms, '?all')),
  open: (terms) => one(record(terms, '+all')),
  endless: (terms) => one(record(terms, '')),
  dash: (terms) => one(record(terms, '\u2013all')),
  'all first': (terms, end) => one(record([end, ...terms], '')),
  'all twice': (terms) => one(record([...terms, '~all'], '-all')),
  'redirect to nothing': (terms) => one(record(terms, 'redirect=nothing.example')),
  'redirect beside all': (terms, end) => one(record([...terms, 'redirect=_spf.a.example'], end)),
  'void terms': (terms, end) =>
    one(record([...terms, 'a:v1.example', 'a:v2.example', 'mx:v3.example'], end)),
  'broken include': (terms, end) => one(record([...terms, 'include:nothing.example'], end)),
  loop: (terms, end) => one(record([...terms, `include:example.com`], end)),
  unknown: (terms, end) => one(record(['ipv4:192.0.2.9', ...terms, 'foo'], end)),
  ptr: (terms, end) => one(record([...terms, 'ptr'], end)),
  'ptr of the domain': (terms, end) => one(record(['ptr:example.com', ...terms], end)),
  'strings without a space': (terms, end) => one(`v=spf1 ${terms.join('')} ${end}`),
  'all without a space': (terms, end) => one(`v=spf1 ${terms.join(' ')}${end}`),
  backslashes: (terms, end) =>
    one(
      record(
        terms.map((term) => `${term}\\;`),
        end,
      ),
    ),
  'dots for colons': (terms, end) =>
    one(
      record(
        terms.map((term) => term.replace(':', '.')),
        end,
      ),
    ),
  'equals for colons': (terms, end) =>
    one(
      record(
        terms.map((term) => term.replace(':', '=')),
        end,
      ),
    ),
  'spaces behind colons': (terms, end) => one(record(terms, end).replaceAll(':', ': ')),
  'spaces before colons': (terms, end) => one(record(terms, end).replaceAll(':', ' :')),
  'colons twice': (terms, end) => one(record(terms, end).replaceAll(':', '::')),
  'ipv4 and includes': (terms, end) =>
    one(record(terms, end).replaceAll('ip4:', 'ipv4:').replaceAll('include:', 'includes:')),
  'letters missing': (terms, end) =>
    one(record(terms, end).replaceAll('include:', 'inlude:').replace('all', 'al')),
  'version twice': (terms, end) => one(`v=spf1 ${record(terms, end)}`),
  'an unreadable term': (terms, end) => one(record([...terms, 'spf.mail-b.example@'], end)),
  'two records': (terms, end) => [record(terms.slice(0, 1), end), record(terms.slice(1), '~all')],
};

export const TERMS: readonly (readonly string[])[] = [
  ['include:_spf.a.example'],
  ['include:_spf.a.example', 'include:_spf.b.example'],
  ['ip4:192.0.2.128/25', 'mx'],
  ['a:web.example.com', 'include:_spf.b.example', 'mx'],
  ['mx', 'include:_spf.a.example', 'ip4:192.0.2.128/25'],
];

/** The names to which terms may lead. */
const PLACES: Names = {
  'open.example.com': { TXT: ['v=spf1 +all'] },
  'soft.example.com': { TXT: ['v=spf1 ip4:192.0.2.1 ~all'] },
  'sound.example.com': { TXT: [`v=spf1 ip4:${IP} -all`] },
  'twice.example.com': { TXT: ['v=spf1 -all', 'v=spf1 ~all'] },
  'broken.example.com': { TXT: ['v=spf1 foo -all'] },
};

const FAULTS = [
  ';',
  '?all',
  'all',
  '-',
  '~ all',
  '\u2013all',
  'mx',
  'ptr',
  'foo',
  'a:',
  'mx all -all',
  'include:open.example.com',
  '?include:open.example.com',
  'includes:open.example.com',
  'include=open.example.com',
  'include:soft.example.com',
  'include:sound.example.com',
  'include:twice.example.com',
  'include:broken.example.com',
  'include:example.com',
  'redirect=open.example.com',
  'redirect=sound.example.com',
  'redirect=nothing.example.com',
  'ip4:0.0.0.0/0',
  `-ip4:${IP}`,
  `?ip4:${IP}`,
  `ip4:${IP}`,
  'ip4:192.0.2.300',
  'a:v1.example.com a:v2.example.com a:v3.example.com',
  Array.from({ length: 60 }, (_, i) => `ip4:198.51.${i}.0/24`).join(' '),
] as const;

const ENDS = ['', '-all', '~all', '\u2013all', '- all', '-all.', '?all', '+all'] as const;

/**
 * Records with several faults, each beside many others, chosen as `n` rises by steps without a common
 * divisor.
 */
const records = Array.from({ length: 40 }, (_, n) => {
  const terms = [n, n * 7 + 3, n * 11 + 5].map((at) => FAULTS[at % FAULTS.length]);
  return ['v=spf1', ...terms.slice(n % 2), ENDS[n % ENDS.length]].join(' ').trim();
});

/** Every choice of terms, with each end, each mutation, and a sender that is listed or not. */
const oneFault: readonly Setup[] = TERMS.flatMap((terms) =>
  ['-all', '~all'].flatMap((end) =>
    Object.entries(SPF_FAULTS).flatMap(([name, mutate]) =>
      [[], [`ip4:${IP}`]].map((own) => ({
        name: `SPF, ${name}: ${[...terms, ...own, end].join(' ')}`,
        situation: {
          zone: {
            ...spfAround,
            'example.com': { ...ORIGIN, TXT: [...mutate([...terms, ...own], end)] },
          },
        },
      })),
    ),
  ),
);

export const spfSetups: readonly Setup[] = [
  ...oneFault,
  ...records.map((record) => ({
    name: `SPF, several faults: ${record}`,
    situation: { zone: { ...PLACES, 'example.com': { ...ORIGIN, TXT: [record] } } },
  })),
];
