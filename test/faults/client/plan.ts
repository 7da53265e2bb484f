import fc from 'fast-check';

/** What becomes of one test, if nothing breaks. */
export interface Plan {
  /** `ready`: it has its report already, and is for sale. */
  readonly begins: 'created' | 'ready';
  /** It is created where tests end soon. */
  readonly isHurried: boolean;
  /** A mail that is refused comes first. */
  readonly isRefused: boolean;
  /** Copies of its mail that are sent at once. */
  readonly mails: number;
  /**
   * `or gives up`: when it is asked again, as somebody may be who has too little. `and leaves`: nobody asks
   * for what became of the payment.
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
  /** By the one wallet that the clients of a round share. */
  readonly isShared: boolean;
  readonly isDeleted: boolean;
}

/** A test with all that belongs to it. */
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

/** One that is for sale. */
export const SALE: Plan = { ...WHOLE, begins: 'ready', mails: 0 };

/** One of each way: what is done while a row's fault lasts, unless the row says. */
export const SOME: readonly Plan[] = [
  { ...WHOLE, isRefused: true, mails: 2 },
  { ...WHOLE, isHurried: true, pays: 'not' },
  { ...WHOLE, isHurried: true, mails: 0, pays: 'not' },
  { ...SALE, times: 2 },
  { ...WHOLE, pays: 'not', isDeleted: true },
];

/** Shrinks to a test that is only created. */
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
