/** Cases of complete emails that arrive through an inbound provider. */

import { RESULTS } from '../../../support/mail/provider.ts';
import type { Case } from '../case.ts';

const provided = { connection_tls: 'not_observable', inbound_provider_spam: 'scored' } as const;

export const providerCases: readonly Case[] = [
  {
    about: 'a provider that agrees',
    provider: {},
    states: { ...provided, inbound_verdict_mismatch: 'same' },
  },
  {
    about: 'a provider that gave no score',
    provider: { 'x-cf-spamh-score': null },
    states: { ...provided, inbound_provider_spam: 'no_score', inbound_verdict_mismatch: 'same' },
  },
  {
    about: 'a provider that differs',
    provider: {
      'authentication-results': `mx.cloudflare.net; ${RESULTS.replace('dmarc=pass', 'dmarc=fail')}`,
      'arc-authentication-results': null,
    },
    states: { ...provided, inbound_verdict_mismatch: 'differs' },
  },
  {
    about: 'a provider that stamped no verdict',
    provider: {
      'authentication-results': null,
      'arc-authentication-results': null,
      'arc-message-signature': null,
      'arc-seal': null,
    },
    states: { ...provided, inbound_verdict_mismatch: 'differs' },
  },
];
