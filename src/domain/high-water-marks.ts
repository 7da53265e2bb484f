/** Declares the entries of the bucket `marks`. */

import { type Static, Type } from '@sinclair/typebox';
import { guard } from './guard.ts';

/** Key in the bucket `marks`. */
export const LOW_WATER_KEY = 'payments_low_water';

/** The position in the payments log before which every settlement has ended. */
const LowWater = Type.Object({ seq: Type.Integer() });
export type LowWater = Static<typeof LowWater>;
export const isLowWater = guard(LowWater);

/** Key in the bucket `marks`. */
export const DAMAGED_KEY = 'damaged_tests';

/** Tests that a replica has frozen. */
const DamagedTests = Type.Object({
  /** When it was written, in milliseconds since 1970. */
  seq: Type.Integer(),
  /**
   * For each test, the sequence number that its history has to reach. 0 if the history itself shows the
   * damage.
   */
  tests: Type.Record(Type.String(), Type.Integer()),
});
export type DamagedTests = Static<typeof DamagedTests>;
export const isDamagedTests = guard(DamagedTests);

/** The last sequence number of a stream, and how many numbers before it have no message. */
const Mark = Type.Object({
  seq: Type.Integer(),
  missing: Type.Integer(),
  /** When the stream was created, which distinguishes it from another of the same name. */
  created: Type.Optional(Type.String()),
});
export type Mark = Static<typeof Mark>;
export const isMark = guard(Mark);
