import { correctRecord } from '../../../src/analysis/spf/correct.ts';
import type { Zone } from '../../environment/dns-zone.ts';

export const DOMAIN = 'example.com';

/** An address of each term that may send for the domain. */
const PROBES: Readonly<Record<string, string>> = {
  'include:_spf.a.example': '198.51.100.1',
  'include:_spf.b.example': '203.0.113.1',
  'ip4:192.0.2.128/25': '192.0.2.200',
  'a:web.example.com': '198.51.100.77',
  mx: '203.0.113.77',
};

/** What the terms lead to. */
export const around: Zone = {
  '_spf.a.example': { TXT: ['v=spf1 ip4:198.51.100.0/28 -all'] },
  '_spf.b.example': { TXT: ['v=spf1 ip4:203.0.113.0/28 ~all'] },
  'web.example.com': { A: ['198.51.100.77'] },
  'mail.example.com': { A: ['203.0.113.77'] },
  'soft.example': { TXT: ['v=spf1 ip4:192.0.2.9 ~all'] },
};

type Mutate = (terms: readonly string[], end: string) => readonly string[];

const record = (terms: readonly string[], end: string) =>
  ['v=spf1', ...terms, end].join(' ').trim();
const one = (text: string) => [text];

/** What people do to a record. */
const MUTATIONS: Readonly<Record<string, Mutate>> = {
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
  loop: (terms, end) => one(record([...terms, `include:${DOMAIN}`], end)),
  unknown: (terms, end) => one(record(['ipv4:192.0.2.9', ...terms, 'foo'], end)),
  ptr: (terms, end) => one(record([...terms, 'ptr'], end)),
  'two records': (terms, end) => [record(terms.slice(0, 1), end), record(terms.slice(1), '~all')],
};

const CHOICES: readonly (readonly string[])[] = [
  ['include:_spf.a.example'],
  ['include:_spf.a.example', 'include:_spf.b.example'],
  ['ip4:192.0.2.128/25', 'mx'],
  ['a:web.example.com', 'include:_spf.b.example', 'mx'],
  ['mx', 'include:_spf.a.example', 'ip4:192.0.2.128/25'],
];

export interface SpfSetup {
  readonly name: string;
  readonly records: readonly string[];
  /** The terms that were written, each with an address that it lets in. */
  readonly terms: readonly (readonly [term: string, probe: string])[];
  readonly ip: string;
}

/** Every choice of terms, with each end, each mutation, and a sender that is listed or is not. */
export const spfSetups: readonly SpfSetup[] = CHOICES.flatMap((terms) =>
  ['-all', '~all'].flatMap((end) =>
    Object.entries(MUTATIONS).flatMap(([name, mutate]) =>
      ['192.0.2.25', PROBES[terms.at(-1) ?? ''] ?? ''].map((ip) => ({
        name: `${name}: ${terms.join(' ')} ${end} from ${ip}`,
        records: mutate(terms, end),
        terms: terms.map((term) => [term, PROBES[term] ?? ''] as const),
        ip,
      })),
    ),
  ),
);

/** The end that is in force, where one closes the record. */
export const endOf = (text: string): string | undefined =>
  / ([-~])all$/.exec(correctRecord(text))?.[1];
