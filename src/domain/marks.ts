import { type Static, Type } from '@sinclair/typebox';
import { guard } from './guard.ts';

/** Key in the bucket `marks`. */
export const LOW_WATER_KEY = 'payments_low_water';

/** The place in the payments' log before which every settlement has ended. */
const LowWater = Type.Object({ seq: Type.Integer() });
export type LowWater = Static<typeof LowWater>;
export const isLowWater = guard(LowWater);

/** Key in the bucket `marks`. */
export const DAMAGED_KEY = 'damaged_tests';

/** Tests that a replica has frozen. */
const DamagedTests = Type.Object({
  /** When it was written, in milliseconds since 1970. */
  seq: Type.Integer(),
  /** By test, the sequence that its history has to reach; 0: it shows its damage by itself. */
  tests: Type.Record(Type.String(), Type.Integer()),
});
export type DamagedTests = Static<typeof DamagedTests>;
export const isDamagedTests = guard(DamagedTests);

/** How far a stream has come, and how many sequences up to there have no message. */
const Mark = Type.Object({
  seq: Type.Integer(),
  missing: Type.Integer(),
  /** When the stream was made: it tells one stream from another of its name. */
  created: Type.Optional(Type.String()),
});
export type Mark = Static<typeof Mark>;
export const isMark = guard(Mark);
