/** Cases of complete emails from domains with various MTA-STS and TLS-RPT policies. */

import type { Case, Page, State } from '../case.ts';
import { POLICY, policy } from '../zone.ts';

const STS = '_mta-sts.example.com';
const TLS = '_smtp._tls.example.com';

const MX = 'mx: mail.example.com';
const AGE = 'max_age: 604800';

const record = (about: string, ...TXT: string[]): Case => ({
  about,
  zone: { [STS]: { TXT } },
  states: { mta_sts: 'broken' },
});

const file = (about: string, page: Page | null, mta_sts: State = 'broken'): Case => ({
  about,
  web: { [POLICY]: page },
  states: { mta_sts },
});

const tls = (about: string, ...TXT: string[]): Case => ({
  about,
  zone: { [TLS]: { TXT } },
  states: { tls_rpt: 'broken' },
});

export const transportCases: readonly Case[] = [
  record('two MTA-STS records', 'v=STSv1; id=1', 'v=STSv1; id=2'),
  record('an MTA-STS record without id=', 'v=STSv1;'),
  record('an MTA-STS id= with a hyphen', 'v=STSv1; id=2026-11-20'),
  file('no policy file', null),
  file('a policy with status 500', { ...policy('mode: enforce', MX, AGE), status: 500 }),
  file('a policy that is no text/plain', {
    ...policy('mode: enforce', MX, AGE),
    type: 'text/html',
  }),
  file('an unknown mode', policy('mode: on', MX, AGE)),
  file('max_age over a year', policy('mode: enforce', MX, 'max_age: 31557601')),
  file('an MX that is not covered', policy('mode: enforce', 'mx: mx.example.com', AGE)),
  file('mode testing', policy('mode: testing', MX, AGE), 'testing'),
  file('mode none', policy('mode: none', 'max_age: 0'), 'absent'),
  {
    about: 'a policy host without address',
    zone: { 'mta-sts.example.com': null },
    states: { mta_sts: 'broken' },
  },
  { about: 'no MTA-STS', zone: { [STS]: null }, states: { mta_sts: 'absent' } },
  tls(
    'two TLS-RPT records',
    'v=TLSRPTv1; rua=mailto:a@example.com',
    'v=TLSRPTv1; rua=mailto:b@example.com',
  ),
  tls('TLS-RPT without rua=', 'v=TLSRPTv1'),
  tls('TLS-RPT with an address for rua=', 'v=TLSRPTv1; rua=tls@example.com'),
  { about: 'no TLS-RPT', zone: { [TLS]: null }, states: { tls_rpt: 'absent' } },
];
