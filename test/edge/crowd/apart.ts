/** Runs a module in a separate thread, so that the measurements here do not delay it. */

import { once } from 'node:events';
import { parentPort, Worker } from 'node:worker_threads';

type Calls = Readonly<Record<string, (input: never) => unknown>>;

interface Order {
  readonly number: number;
  readonly name: string;
  readonly input: unknown;
}

interface Answer {
  readonly number: number;
  readonly value?: unknown;
  readonly fault?: string;
}

/**
 * A module in a separate thread, so that what it serves or sends is not delayed by what is measured here.
 */
export interface Apart<C extends Calls> {
  call<N extends keyof C & string>(
    name: N,
    ...input: Parameters<C[N]>
  ): Promise<Awaited<ReturnType<C[N]>>>;
  stop(): Promise<void>;
}

/** @param module a module that calls `serve` when it runs in a thread */
export async function startApart<C extends Calls>(module: string): Promise<Apart<C>> {
  const worker = new Worker(new URL(module));
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  await once(worker, 'message');
  worker.on('message', ({ number, value, fault }: Answer) => {
    const call = waiting.get(number);
    waiting.delete(number);
    if (fault === undefined) call?.resolve(value);
    else call?.reject(new Error(fault));
  });
  return {
    call(name, ...[input]) {
      last += 1;
      const call = Promise.withResolvers<unknown>();
      waiting.set(last, call);
      worker.postMessage({ number: last, name, input } satisfies Order);
      return call.promise as Promise<never>;
    },
    stop: async () => void (await worker.terminate()),
  };
}

/** Makes this thread respond to calls from the thread that started it. */
export function serve(calls: Calls): void {
  const send = (answer: Answer) => parentPort?.postMessage(answer);
  parentPort?.on('message', async ({ number, name, input }: Order) => {
    try {
      send({ number, value: await calls[name]?.(input as never) });
    } catch (error) {
      send({ number, fault: error instanceof Error ? error.message : 'failed' });
    }
  });
  send({ number: 0 });
}
