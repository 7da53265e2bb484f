/** SPF facts of a perfect email, for tests. */

import { known } from '../../../src/analysis/lookup-result.ts';
import type { SpfFacts } from '../../../src/analysis/spf/facts.ts';
import { DOMAIN } from '../names/facts.ts';

const RECORD = 'v=spf1 ip4:192.0.2.25 -all';

export const spf: SpfFacts = {
  report: {
    result: 'pass',
    domain: DOMAIN,
    scope: 'mailfrom',
    aligned: true,
    record: RECORD,
    records: [RECORD],
    lookups: 0,
    void_lookups: 0,
    all: '-',
    tree: [],
    matched_term: 'ip4:192.0.2.25',
    helo_result: 'pass',
    error: null,
  },
  helo: known({ result: 'pass', record: 'v=spf1 a -all' }),
  syntaxFaults: [],
  voidTerms: [],
  voidQueries: 0,
  brokenTerms: [],
  wideTerms: [],
  effectiveAll: '-',
};
