/** Key in the bucket `marks`. */
export const LOW_WATER_KEY = 'payments_low_water';

/** The place in the payments' log before which every settlement has ended. */
export interface LowWater {
  readonly seq: number;
}

/** Whether `value` is a low-water mark. */
export const isLowWater = (value: unknown): value is LowWater =>
  typeof value === 'object' && value !== null && 'seq' in value && Number.isInteger(value.seq);

/** Key in the bucket `marks`. */
export const DAMAGED_KEY = 'damaged_tests';

/** Tests that a replica has frozen. */
export interface DamagedTests {
  /** When it was written, in milliseconds since 1970. */
  readonly seq: number;
  /** By test, the sequence that its history has to reach; 0: it shows its damage by itself. */
  readonly tests: Readonly<Record<string, number>>;
}

/** Whether `value` names damaged tests. */
export const isDamagedTests = (value: unknown): value is DamagedTests =>
  isLowWater(value) &&
  'tests' in value &&
  typeof value.tests === 'object' &&
  value.tests !== null &&
  Object.values(value.tests).every(Number.isInteger);

/** How far a stream has come, and how many sequences up to there have no message. */
export interface Mark {
  readonly seq: number;
  readonly missing: number;
  /** When the stream was made: it tells one stream from another of its name. */
  readonly created?: string;
}

/** Whether `value` is the mark of a stream's end. */
export const isMark = (value: unknown): value is Mark =>
  isLowWater(value) && 'missing' in value && Number.isInteger(value.missing);
