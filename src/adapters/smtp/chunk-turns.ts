/** Chunks of all uploads that are read before the event loop turns to something else. */
const CHUNKS_A_ROUND = 8;

/**
 * Lets uploads read in turn, a chunk each, a few in one round of the event loop: many large ones at
 * once leave time for everything else.
 */
export function createChunkTurns() {
  const waiting: (() => void)[] = [];
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      for (const go of waiting.splice(0, CHUNKS_A_ROUND)) go();
      if (waiting.length > 0) schedule();
    });
  }

  return (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      schedule();
    });
}
