/** What a worker shows in shared memory: read there also while it hangs. */
const TICK = 0;
const SUSPECT = 1;
const TAKEN = 2;

export const newSigns = (): Int32Array<SharedArrayBuffer> =>
  new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));

/** How often a worker shows that it goes on, in milliseconds. */
const EVERY_MS = 100;

/** The worker's side. */
export function showSigns(signs: Int32Array<SharedArrayBuffer>) {
  const tick = () => void Atomics.add(signs, TICK, 1);
  tick();
  setInterval(tick, EVERY_MS).unref();
  return {
    /** The work that begins now is this mail's. */
    mark(number: number): void {
      Atomics.store(signs, SUSPECT, number);
      tick();
    },
    /** Has the bytes of this mail, and of those before. */
    take: (number: number) => void Atomics.store(signs, TAKEN, number),
  };
}

/** How often the main thread looks, in milliseconds. */
export const LOOK_MS = 250;

/** The main thread's side: `look` is called every `LOOK_MS`. */
export function watchSigns(signs: Int32Array<SharedArrayBuffer>, stuckMs: number) {
  let last = -1;
  let looks = 0;
  return {
    /** It has not gone on for so many looks: counted, since a machine may sleep. */
    isStuck(): boolean {
      const tick = Atomics.load(signs, TICK);
      looks = tick === last ? looks + 1 : 0;
      last = tick;
      // It is being started: how long that takes is the machine's doing.
      if (tick === 0) return false;
      return looks * LOOK_MS >= stuckMs;
    },
    suspect: () => Atomics.load(signs, SUSPECT),
    taken: () => Atomics.load(signs, TAKEN),
  };
}
