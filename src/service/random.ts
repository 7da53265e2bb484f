import { randomBytes } from 'node:crypto';
import type { Random } from '../ports/ambient.ts';

/** Asked for alone, a few bytes cost the system 4 µs, and each new test needs them three times. */
const AT_ONCE = 4096;

/** Random bytes for secrets, many made at once; those given away are kept no longer. */
export function createRandom(): Random {
  let pool = new Uint8Array();
  return (count) => {
    if (count > pool.length) pool = new Uint8Array(randomBytes(Math.max(AT_ONCE, count)));
    const given = pool.slice(0, count);
    pool.fill(0, 0, count);
    pool = pool.subarray(count);
    return given;
  };
}
