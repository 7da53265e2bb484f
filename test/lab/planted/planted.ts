/** Lists all planted faults: defects put into the product to see which tests find them. */

import { analysis } from './analysis.ts';
import { edge } from './edge.ts';
import { logAndMoney } from './log-and-money.ts';
import { money } from './money.ts';

/** A fault that is put into the product on purpose, and the tests that must find it. */
export interface Planted {
  readonly name: string;
  readonly file: string;
  /** Text that occurs once, and is replaced. */
  readonly find: string;
  readonly replace: string;
  /** Test files that reach it, and of those the tests whose names match. */
  readonly tests: readonly string[];
  readonly only?: string;
}

/** All planted faults, in one list per area. A list for another area is added here. */
export const planted: readonly Planted[] = [...logAndMoney, ...money, ...edge, ...analysis];
