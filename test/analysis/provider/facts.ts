import type { ProviderFacts } from '../../../src/analysis/provider/facts.ts';

/** What an inbound provider said, in agreement with us. */
export const provider: ProviderFacts = {
  name: 'cloudflare',
  authserv_id: 'mx.cloudflare.net',
  spam_score: null,
  source: 'arc-authentication-results',
  seal_verified: true,
  block_headers: ['Received'],
  differs_from_ours: [],
};
