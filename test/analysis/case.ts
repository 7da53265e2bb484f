/** Defines the form of a case: a check, the state it should have, and the facts that lead to it. */

import type { Facts } from '../../src/analysis/facts.ts';
import type { Part } from '../support/mail/facts.ts';

/**
 * A check, its expected result, and the facts that lead to it, laid over those of a perfect email. A result
 * is `fail 10` (severity and points), `info 0 suggest`, `unknown` or `left out`.
 */
export type Case = readonly [id: string, expected: string, ...parts: readonly Part<Facts>[]];
