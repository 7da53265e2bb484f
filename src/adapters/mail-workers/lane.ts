/**
 * Starts a worker thread that analyses emails, passes messages to it and back in batches, and ends it if it
 * hangs.
 */

import { Worker } from 'node:worker_threads';
import type { FromWorker, ToWorker, WorkerData, WorkerSetup } from './protocol.ts';
import { LOOK_MS, newSigns, watchSigns } from './watch.ts';

/** Maximum heap of a worker, in MiB. An email of 25 MiB needs a quarter of it. */
const MAX_HEAP_MIB = 512;

/** Maximum memory of a worker for short-lived objects, in MiB: half of what Node.js would use. */
const MAX_YOUNG_HEAP_MIB = 96;

export interface LaneOptions {
  readonly workerUrl: URL;
  readonly setup: WorkerSetup;
  readonly inFlight: Int32Array<SharedArrayBuffer>;
  readonly newNames: Int32Array<SharedArrayBuffer>;
  readonly stuckMs: number;
  readonly onMessage: (message: FromWorker) => void;
  /**
   * Called when the worker has ended. `suspect` is the email that it worked on last; `taken` is the last
   * email whose bytes it had.
   */
  readonly onExit: (seen: { readonly suspect: number; readonly taken: number }) => void;
}

/** Starts one worker and returns the functions that reach it. Each side posts one array per turn. */
export function startLane(options: LaneOptions) {
  const { workerUrl, setup, inFlight, newNames, stuckMs, onMessage, onExit } = options;
  const signs = newSigns();
  const watch = watchSigns(signs, stuckMs);
  const workerData: WorkerData = { setup, signs, inFlight, newNames };
  const worker = new Worker(workerUrl, {
    workerData,
    resourceLimits: {
      maxOldGenerationSizeMb: MAX_HEAP_MIB,
      maxYoungGenerationSizeMb: MAX_YOUNG_HEAP_MIB,
    },
    // The worker needs nothing from the environment.
    env: {},
  });
  const look = setInterval(() => {
    if (watch.isStuck()) void worker.terminate();
  }, LOOK_MS);
  worker.on('message', (messages: readonly FromWorker[]) => messages.forEach(onMessage));
  // The error is visible in the emails that the worker leaves unfinished.
  worker.on('error', () => {});
  worker.on('exit', () => {
    clearInterval(look);
    onExit({ suspect: watch.suspect(), taken: watch.taken() });
  });
  worker.unref();

  let outgoing: ToWorker[] = [];
  let moved: ArrayBuffer[] = [];
  function flush(): void {
    worker.postMessage(outgoing, moved);
    outgoing = [];
    moved = [];
  }

  return {
    post(message: ToWorker): void {
      if (outgoing.length === 0) queueMicrotask(flush);
      outgoing.push(message);
      if (message.kind === 'open' && message.bytes.buffer instanceof ArrayBuffer)
        moved.push(message.bytes.buffer);
    },
    /** The process keeps running while a worker is busy. */
    hold: (isBusy: boolean) => (isBusy ? worker.ref() : worker.unref()),
    stop: async (): Promise<void> => void (await worker.terminate()),
  };
}

export type Lane = ReturnType<typeof startLane>;
