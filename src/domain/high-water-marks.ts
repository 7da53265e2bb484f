/**
 * Declares the entries of the NATS bucket `marks`: how far each stream was known to reach, from where
 * payments are followed, and which tests are damaged.
 */

import { type Static, Type } from '@sinclair/typebox';
import { guard } from './guard.ts';

/** Key of the `LowWater` entry in the bucket `marks`. */
export const LOW_WATER_KEY = 'payments_low_water';

/** The position in the payments log before which every settlement has ended. */
const LowWater = Type.Object({ seq: Type.Integer() });
export type LowWater = Static<typeof LowWater>;
export const isLowWater = guard(LowWater);

/** Key of the `DamagedTests` entry in the bucket `marks`. */
export const DAMAGED_KEY = 'damaged_tests';

/** Tests that a replica has frozen because their history is damaged. */
const DamagedTests = Type.Object({
  /** When the entry was written, in milliseconds since 1970. */
  seq: Type.Integer(),
  /**
   * For each test, the sequence number that its history has to reach, or 0 if the history itself shows the
   * damage.
   */
  tests: Type.Record(Type.String(), Type.Integer()),
});
export type DamagedTests = Static<typeof DamagedTests>;
export const isDamagedTests = guard(DamagedTests);

/** The last sequence number of a stream, and how many sequence numbers before it have no message. */
const Mark = Type.Object({
  seq: Type.Integer(),
  missing: Type.Integer(),
  /** When the stream was created, which distinguishes it from another stream of the same name. */
  created: Type.Optional(Type.String()),
});
export type Mark = Static<typeof Mark>;
export const isMark = guard(Mark);
