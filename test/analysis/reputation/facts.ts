/** Reputation facts of a perfect email, for tests. */

import { known } from '../../../src/analysis/lookup-result.ts';
import type { ListingFacts } from '../../../src/analysis/reputation/facts.ts';

export const listings: ListingFacts = {
  spamcop: known('not_listed'),
  blocklists: [],
};
