import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

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

/** A module in a process of its own: what it measures, serves or sends is not delayed by what goes on here. */
export interface Apart<C extends Calls> {
  call<N extends keyof C & string>(
    name: N,
    ...input: Parameters<C[N]>
  ): Promise<Awaited<ReturnType<C[N]>>>;
  stop(): Promise<void>;
}

/** @param module one that calls `serve` when it is the main module */
export async function startApart<C extends Calls>(module: string): Promise<Apart<C>> {
  const child = fork(fileURLToPath(module), { execArgv: [], env: {}, serialization: 'advanced' });
  const exited = once(child, 'exit');
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  const ready = Promise.withResolvers<unknown>();
  waiting.set(0, ready);
  child.on('message', ({ number, value, fault }: Answer) => {
    const call = waiting.get(number);
    waiting.delete(number);
    if (fault === undefined) call?.resolve(value);
    else call?.reject(new Error(fault));
  });
  void exited.then(() => {
    for (const call of waiting.values()) call.reject(new Error('The process has ended.'));
  });
  await ready.promise;
  return {
    call(name, ...[input]) {
      last += 1;
      const call = Promise.withResolvers<unknown>();
      waiting.set(last, call);
      child.send({ number: last, name, input } satisfies Order);
      return call.promise as Promise<never>;
    },
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Answers the calls of the process that started this one, and ends with it. */
export function serve(calls: Calls): void {
  const send = (answer: Answer) => process.send?.(answer);
  process.on('disconnect', () => process.exit());
  process.on('message', async ({ number, name, input }: Order) => {
    try {
      send({ number, value: await calls[name]?.(input as never) });
    } catch (error) {
      send({ number, fault: error instanceof Error ? error.message : 'failed' });
    }
  });
  send({ number: 0 });
}
