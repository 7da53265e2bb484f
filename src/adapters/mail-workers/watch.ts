/**
 * Notices worker threads that hang, and tells which email each has worked on and taken last, by signs of life
 * that each thread writes to shared memory.
 */

/** Positions of the signs of life in shared memory, which can be read even while the worker hangs. */
const TICK = 0;
const SUSPECT = 1;
const TAKEN = 2;

export const newSigns = (): Int32Array<SharedArrayBuffer> =>
  new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));

/** How often a worker shows that it is alive, in milliseconds. */
const EVERY_MS = 100;

/** Shows the signs of life, on the worker's side. */
export function showSigns(signs: Int32Array<SharedArrayBuffer>) {
  const tick = () => void Atomics.add(signs, TICK, 1);
  tick();
  setInterval(tick, EVERY_MS).unref();
  return {
    /** Records that the work that begins now is for this email. */
    mark(number: number): void {
      Atomics.store(signs, SUSPECT, number);
      tick();
    },
    /** Records that the worker has the bytes of this email and of those before it. */
    take: (number: number) => void Atomics.store(signs, TAKEN, number),
  };
}

/** How often the main thread checks the signs of life, in milliseconds. */
export const LOOK_MS = 250;

/** Watches the signs of life, on the main thread's side. Call `isStuck` every `LOOK_MS`. */
export function watchSigns(signs: Int32Array<SharedArrayBuffer>, stuckMs: number) {
  let last = -1;
  let looks = 0;
  return {
    /**
     * Returns whether the worker has made no progress for too many checks. Checks are counted instead of
     * time, because a machine may sleep.
     */
    isStuck(): boolean {
      const tick = Atomics.load(signs, TICK);
      looks = tick === last ? looks + 1 : 0;
      last = tick;
      // The worker is still starting. How long that takes depends on the machine.
      if (tick === 0) return false;
      return looks * LOOK_MS >= stuckMs;
    },
    suspect: () => Atomics.load(signs, SUSPECT),
    taken: () => Atomics.load(signs, TAKEN),
  };
}
