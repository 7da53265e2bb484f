/** Lists setups with faults of DMARC records. */

import { dmarc } from '../../analysis/whole/zone.ts';
import type { Setup } from './setup.ts';

const RUA = 'mailto:dmarc@example.com';

export const POLICIES = [
  'p=none',
  'p=quarantine',
  'p=reject',
  'p=reject; sp=none',
  'p=quarantine; t=y',
];

export const DMARC_FAULTS: Readonly<Record<string, (policy: string) => readonly string[]>> = {
  right: (policy) => [`v=DMARC1; ${policy}; rua=${RUA}`],
  'lower case': (policy) => [`v=dmarc1; ${policy}; rua=${RUA}`],
  commas: (policy) => [`v=DMARC1, ${policy.replaceAll(';', ',')}, rua=${RUA}`],
  quoted: (policy) => [`"v=DMARC1; ${policy}; rua=${RUA}"`],
  'version last': (policy) => [`${policy}; v=DMARC1; rua=${RUA}`],
  'two records': (policy) => [
    `v=DMARC1; ${policy}; rua=${RUA}`,
    'v=DMARC1; p=none; rua=mailto:two@example.com',
  ],
  'two addresses': (policy) => [`v=DMARC1; ${policy}; rua=${RUA}; rua=mailto:two@example.com`],
  'no address': (policy) => [`v=DMARC1; ${policy}`],
  'bare address': (policy) => [`v=DMARC1; ${policy}; rua=dmarc@example.com`],
  'unknown tags': (policy) => [`v=DMARC1; ${policy}; foo=bar; rua=${RUA}`],
  pct: (policy) => [`v=DMARC1; ${policy}; pct=50; rua=${RUA}`],
  'pct=0': (policy) => [`v=DMARC1; ${policy}; pct=0; rua=${RUA}`],
  'pct=100': (policy) => [`v=DMARC1; ${policy}; pct=100; rua=${RUA}`],
  'pct and a fault': (policy) => [`v=DMARC1; ${policy}; foo=bar; pct=10; rua=dmarc@example.com`],
  'rua apart': (policy) => [`v=DMARC1; ${policy}`, `rua=${RUA}`],
  'rua apart, another one': (policy) => [
    `v=DMARC1; ${policy}; rua=${RUA}`,
    'rua=mailto:two@example.com; ruf=mailto:two@example.com;',
  ],
  'policy last': (policy) => [`v=DMARC1; rua=${RUA}; ${policy}`],
  'another text': (policy) => [`v=DMARC1; ${policy}; rua=${RUA}`, 'hello'],
  'sp= unusable': (policy) => [`v=DMARC1; ${policy}; sp=oops; rua=${RUA}`],
  'np= unusable': (policy) => [`v=DMARC1; ${policy}; np=monitor; rua=${RUA}`],
  'p= twice': (policy) => [`v=DMARC1; ${policy}; p=none; rua=${RUA}`],
  capitals: (policy) => [`v=DMARC1; ${policy.toUpperCase()}; RUA=${RUA}`],
  'words for letters': (policy) => [`v=DMARC1; ${policy}; adkim=strict; aspf=relaxed; rua=${RUA}`],
  'no space': (policy) => [`v=DMARC1;${policy.replaceAll(' ', '')};rua=${RUA}`],
  'spaces around': (policy) => [` v=DMARC1 ; ${policy} ; rua = ${RUA} `],
  'version twice': (policy) => [`v=DMARC1; v=DMARC1; ${policy}; rua=${RUA}`],
  'no version': (policy) => [`${policy}; rua=${RUA}`],
  'a size': (policy) => [`v=DMARC1; ${policy}; rua=${RUA}!10m`],
  'a semicolon in rua': (policy) => [`v=DMARC1; ${policy}; rua=${RUA};mailto:two@example.com`],
  'rf and ri': (policy) => [`v=DMARC1; ${policy}; rf=afrf; ri=86400; rua=${RUA}`],
  'SPF beside it': (policy) => [`v=DMARC1; ${policy}; rua=${RUA}`, 'v=spf1 -all'],
  'the same twice': (policy) => [
    `v=DMARC1; ${policy}; rua=${RUA}`,
    `v=DMARC1; ${policy}; rua=${RUA}`,
  ],
  'strings joined': (policy) => [`v=DMARC1; ${policy.replaceAll('; ', '')}rua=${RUA}`],
  'strings joined behind the address': (policy) => [`v=DMARC1; rua=${RUA}${policy}`],
  'no semicolon': (policy) => [`v=DMARC1; ${policy} rua=${RUA}`],
  'not a policy': () => [`v=DMARC1; p=rejct; rua=${RUA}`],
};

/** Every choice of one tag of each kind, right or wrong. */
const records = ['p=none', 'p=quarantine; sp=none', 'p=rejct', 'p=reject; t=y', 'p=none; sp=none']
  .flatMap((policy) =>
    ['', 'rua=dmarc@example.com', RUA, `${RUA},dmarc@example.com`].map((rua) => [policy, rua]),
  )
  .flatMap((tags) => ['', 'foo=bar; pct=50'].map((more) => [...tags, more]))
  .map((tags) => ['v=DMARC1', ...tags].filter(Boolean).join('; '));

const oneFault: readonly Setup[] = POLICIES.flatMap((policy) =>
  Object.entries(DMARC_FAULTS).map(([name, mutate]) => ({
    name: `DMARC, ${name}: ${policy}`,
    situation: { zone: dmarc(...mutate(policy)) },
  })),
);

export const dmarcSetups: readonly Setup[] = [
  ...oneFault,
  ...records.map((record) => ({
    name: `DMARC, a tag of each kind: ${record}`,
    situation: { zone: dmarc(record) },
  })),
];
