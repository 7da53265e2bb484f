import type { RouteFacts } from '../../../src/analysis/route/facts.ts';

/** Of a mail that its program handed to this service itself. */
export const route: RouteFacts = { hops: [], total: 0, namesUs: false, falseMailer: null };
