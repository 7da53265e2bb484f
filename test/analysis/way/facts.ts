import type { WayFacts } from '../../../src/analysis/way/facts.ts';

/** Of a mail that its program handed to this service itself. */
export const way: WayFacts = { hops: [], total: 0, namesUs: false, falseMailer: null };
