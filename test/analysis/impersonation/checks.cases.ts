/** Cases for each state of the impersonation checks. */

import type { Facts } from '../../../src/analysis/facts.ts';
import type { ImpersonationSign } from '../../../src/analysis/impersonation/facts.ts';
import { unknown } from '../../../src/analysis/lookup-result.ts';
import type { Part } from '../../support/mail/facts.ts';
import type { Case } from '../case.ts';

const signs = (...ids: ImpersonationSign['id'][]): Part<Facts> => ({
  headers: {
    value: {
      impersonation: ids.map((id) => ({ id, shown: 'brand.example', real: 'example.com' })),
    },
  },
});

export const impersonationCases: readonly Case[] = [
  ['impersonation', 'pass 0'],
  ['impersonation', 'unknown', { headers: unknown('worker: no header part') }],
  ['impersonation', 'warn 14', signs('brand_name')],
  ['impersonation', 'warn 14', signs('embedded_domain')],
  ['impersonation', 'warn 14', signs('near_domain')],
  ['impersonation', 'warn 14', signs('mixed_letters')],
  ['impersonation', 'warn 14', signs('hidden_letters')],
  ['impersonation', 'warn 14', signs('money_reply')],
  ['impersonation', 'warn 14', signs('wording')],
  ['impersonation', 'warn 14', signs('link_domain')],
  ['impersonation', 'fail 45', signs('brand_name', 'brand_domain')],
  ['impersonation', 'fail 45', signs('brand_name', 'brand_link')],
];
