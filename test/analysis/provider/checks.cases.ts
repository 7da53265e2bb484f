/** Cases for each state of the checks on an inbound provider's verdicts. */

import type { Case } from '../case.ts';
import { provider } from './facts.ts';

export const providerCases: readonly Case[] = [
  ['inbound_provider_spam', 'left out'],
  ['inbound_provider_spam', 'pass 0', { provider: { ...provider, spam_score: null } }],
  ['inbound_provider_spam', 'info 0', { provider: { ...provider, spam_score: 9 } }],

  ['inbound_verdict_mismatch', 'left out'],
  ['inbound_verdict_mismatch', 'pass 0', { provider }],
  ['inbound_verdict_mismatch', 'info 0', { provider: { ...provider, differs_from_ours: ['spf'] } }],
  ['inbound_verdict_mismatch', 'info 0', { provider: { ...provider, source: 'none' } }],
];
