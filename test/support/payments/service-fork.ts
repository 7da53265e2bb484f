/** Runs replicas as child processes that can be killed at any step of a payment. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { COMPILE_CACHE, programOf } from '../../environment/compile-cache.ts';
import type { Message, Order, Step } from './service-child.ts';

/** Longest time until it listens, in milliseconds. Several may start at once. */
const START_MS = 180_000;

/** Called at a step. The payment waits for it, forever if it never resolves. */
export type OnStep = (step: Step, id: string) => Promise<unknown> | undefined;

/** A replica that runs as a process of its own. */
export interface Fork {
  readonly http: string;
  /** The lines of the log of the replica. */
  readonly log: readonly string[];
  /** Sends SIGKILL, and waits for the end. */
  kill(): Promise<void>;
  /** Sends SIGTERM, so that it stops in order, and waits for the end. */
  stop(): Promise<void>;
}

const script = fileURLToPath(new URL('./service-child.ts', import.meta.url));

/** Starts a replica as a child process. */
export async function forkService(order: Order, onStep?: OnStep): Promise<Fork> {
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE };
  const child = fork(programOf(script), { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const exited = once(child, 'exit');
  const log: string[] = [];
  for (const output of [child.stdout, child.stderr])
    output?.on('data', (chunk) => log.push(String(chunk)));

  /** A child that has died receives nothing more, which is not an error. */
  const send = (message: object) => child.connected && child.send(message, () => undefined);

  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  };
  const http = await untilListening(child, order, log, ({ step, id, turn }) => {
    const pause = onStep?.(step, id) ?? Promise.resolve();
    pause.then(() => send({ turn })).catch(() => undefined);
  }).catch(async (error: unknown) => {
    await kill();
    throw error;
  });
  return {
    http,
    log,
    kill,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

type StepMessage = Extract<Message, { type: 'step' }>;

function untilListening(
  child: ChildProcess,
  order: Order,
  log: readonly string[],
  onStep: (message: StepMessage) => void,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fail = (why: string) => reject(new Error(`${why}\n${log.join('')}`));
  const timer = setTimeout(() => fail('The service did not listen in time.'), START_MS);
  child.on('message', (message: Message) => {
    if (message.type === 'step') onStep(message);
    else if (message.type === 'listening') resolve(message.http);
    else fail(message.text);
  });
  child.once('exit', () => fail('The service ended before it listened.'));
  child.once('error', reject);
  child.send(order);
  return promise.finally(() => clearTimeout(timer));
}
