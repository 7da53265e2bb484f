import { vi } from 'vitest';
import { WAIT_MS } from '../../run/limits.mjs';

/** Checks repeatedly until `check` no longer throws. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: WAIT_MS, interval: 5 });
