import type { Facts } from '../../src/analysis/facts.ts';
import type { Part } from '../support/mail/facts.ts';

/**
 * One check, what it has to say and the facts that make it so, laid over those of a perfect mail:
 * `fail 10` (severity and points), `info 0 suggest`, `unknown` or `left out`.
 */
export type Case = readonly [id: string, expected: string, ...parts: readonly Part<Facts>[]];
