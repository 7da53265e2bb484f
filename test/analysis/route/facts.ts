/** Route facts of an email that was handed directly to this service, for tests. */

import type { RouteFacts } from '../../../src/analysis/route/facts.ts';

/** The route of an email that its program handed directly to this service. */
export const route: RouteFacts = { hops: [], total: 0, namesUs: false, falseMailer: null };
