/** Key in the bucket `status`; no test's id, as those have no underscore. */
export const LOW_WATER_KEY = 'payments_low_water';

/** The place in the payments' log before which every settlement has ended. */
export interface LowWater {
  readonly seq: number;
}

/** Whether `value` is a low-water mark. */
export const isLowWater = (value: unknown): value is LowWater =>
  typeof value === 'object' && value !== null && 'seq' in value && Number.isInteger(value.seq);
