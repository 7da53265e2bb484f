/** Defines what a simulated client does with one test. */

import fc from 'fast-check';

/** The course of one test if nothing breaks. */
export interface Plan {
  /** The state in which the test begins. With `ready`, it already has its report, and is for sale. */
  readonly begins: 'created' | 'ready';
  /** True if the test is created on a replica whose tests end soon. */
  readonly isHurried: boolean;
  /** True if an email that is refused comes first. */
  readonly isRefused: boolean;
  /** Copies of its email that are sent at once. */
  readonly mails: number;
  /**
   * How the report is paid for. `or gives up` stops when asked again, as someone with too little money may.
   * After `and leaves`, nobody asks for the outcome of the payment.
   */
  readonly pays:
    | 'not'
    | 'surely'
    | 'or gives up'
    | 'and leaves'
    | 'with the payment of another'
    | 'without money';
  /** How often each payment is sent at once. */
  readonly times: number;
  /** True if the report is paid for by the one wallet that the clients of a round share. */
  readonly isShared: boolean;
  readonly isDeleted: boolean;
}

/** A test with everything that belongs to it. */
export const WHOLE: Plan = {
  begins: 'created',
  isHurried: false,
  isRefused: false,
  mails: 1,
  pays: 'surely',
  times: 1,
  isShared: false,
  isDeleted: false,
};

/** A test that is for sale. */
export const SALE: Plan = { ...WHOLE, begins: 'ready', mails: 0 };

/** Plans of each kind, carried out while a row's fault lasts, unless the row has its own. */
export const SOME: readonly Plan[] = [
  { ...WHOLE, isRefused: true, mails: 2 },
  { ...WHOLE, isHurried: true, pays: 'not' },
  { ...WHOLE, isHurried: true, mails: 0, pays: 'not' },
  { ...SALE, times: 2 },
  { ...WHOLE, pays: 'not', isDeleted: true },
];

/** Generates any plan. Shrinks to a test that is only created. */
export const anyPlan: fc.Arbitrary<Plan> = fc.record({
  begins: fc.constantFrom('created', 'ready'),
  isHurried: fc.boolean(),
  isRefused: fc.boolean(),
  mails: fc.nat(2),
  pays: fc.constantFrom(
    'not',
    'surely',
    'or gives up',
    'and leaves',
    'with the payment of another',
    'without money',
  ),
  times: fc.integer({ min: 1, max: 3 }),
  isShared: fc.boolean(),
  isDeleted: fc.boolean(),
});
