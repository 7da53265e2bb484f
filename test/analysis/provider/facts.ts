/** Facts about an inbound provider that agrees with our own results, for tests. */

import type { ProviderFacts } from '../../../src/analysis/provider/facts.ts';

/** The statements of an inbound provider that agrees with us. */
export const provider: ProviderFacts = {
  name: 'cloudflare',
  authserv_id: 'mx.cloudflare.net',
  spam_score: null,
  source: 'arc-authentication-results',
  seal_verified: true,
  block_headers: ['Received'],
  differs_from_ours: [],
};
