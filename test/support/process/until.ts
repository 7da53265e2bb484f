import { setTimeout as sleep } from 'node:timers/promises';
import { WAIT_MS } from '../../run/limits.mjs';

/** Calls `look` repeatedly until it returns something. A call that throws returned nothing. */
export async function until<T>(
  look: () => Promise<T | false | undefined>,
  what = 'What this test waits for',
): Promise<T> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const found = await look().catch(() => undefined);
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`${what} did not come in ${WAIT_MS} ms.`);
    await sleep(25);
  }
}
