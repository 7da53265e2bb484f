import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClockOrder } from './history/wall-clock.ts';
import type { Message, Order, Step } from './service-child.ts';

/** Longest time until it listens, in milliseconds: several may start at once. */
const START_MS = 180_000;

/** What happens at a step: the payment waits for it, for ever if it never resolves. */
export type OnStep = (step: Step, id: string) => Promise<unknown> | undefined;

/** One running replica. */
export interface Fork {
  readonly http: string;
  readonly pid: number;
  /** Its log, as lines. */
  readonly log: readonly string[];
  /** In place of what was there; `undefined`: nothing happens at any step. */
  onStep(next: OnStep | undefined): void;
  /** Sets its wall clock wrong by so many milliseconds. */
  setClock(wallClockMs: number): void;
  /** SIGKILL, and waits for the end. */
  kill(): Promise<void>;
  /** SIGTERM, and waits for the end. */
  stop(): Promise<void>;
  /** Neither ended nor about to. */
  alive(): boolean;
}

const script = fileURLToPath(new URL('./service-child.ts', import.meta.url));
const preload = new URL('./history/wall-clock.ts', import.meta.url);

/** Starts a replica as a child process. */
export async function forkService(order: Order, onStep?: OnStep): Promise<Fork> {
  // Replicas are started over and over: their code is compiled once.
  const env = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') };
  const execArgv = ['--import', preload.href];
  const child = fork(script, { env, execArgv, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const exited = once(child, 'exit');
  const log: string[] = [];
  for (const output of [child.stdout, child.stderr])
    output?.on('data', (chunk) => log.push(String(chunk)));
  let rule = onStep;

  let ending = false;

  /** One that dies under our hands hears nothing more, and that is no error. */
  const send = (message: object) => child.connected && child.send(message, () => undefined);

  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    ending = true;
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await exited;
  };
  const http = await untilListening(child, order, log, ({ step, id, turn }) => {
    const pause = rule?.(step, id) ?? Promise.resolve();
    pause.then(() => send({ turn })).catch(() => undefined);
  }).catch(async (error: unknown) => {
    await end('SIGKILL');
    throw error;
  });
  return {
    http,
    pid: child.pid ?? 0,
    log,
    onStep(next) {
      rule = next;
    },
    setClock(wallClockMs) {
      send({ wallClockMs } satisfies ClockOrder);
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    alive: () => !ending && child.exitCode === null && child.signalCode === null,
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
  child.on('message', (message: Message | ClockOrder) => {
    if ('wallClockMs' in message) return;
    if (message.type === 'step') onStep(message);
    else if (message.type === 'listening') resolve(message.http);
    else fail(message.text);
  });
  child.once('exit', () => fail('The service ended before it listened.'));
  child.once('error', reject);
  child.send(order);
  return promise.finally(() => clearTimeout(timer));
}
