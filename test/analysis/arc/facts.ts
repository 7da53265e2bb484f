/** ARC facts of a perfect email, for tests. */

import type { ArcFacts } from '../../../src/analysis/arc/facts.ts';

export const arc: ArcFacts = { report: { result: 'none', sets: 0 }, sealer: null, fault: null };
