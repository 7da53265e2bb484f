/** Runs a nats-server as a child process that can be killed, paused and restarted. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { WAIT_MS } from '../run/limits.mjs';

/** The memory limit of a node in docker-compose.yml. */
const MEMORY_KIB = String(2 * 2 ** 20);

const guard = fileURLToPath(new URL('../../src/adapters/embedded-nats/guard.sh', import.meta.url));

/** Number of lines of its log that are shown if it does not start. */
const LAST_LINES = 20;

interface Options {
  /** A command that prepares the environment and then executes the one after it. */
  readonly through?: readonly string[];
  readonly configFile: string;
  /** Path of the file in which the server writes its process id. */
  readonly pidFile: string;
  /** Called when the server ends, intentionally or not. */
  readonly onEnd?: () => void;
}

/** A nats-server that may be damaged. Its configuration, and so its ports and its store, remain. */
export interface NatsProcess {
  pid(): number;
  alive(): boolean;
  start(): Promise<void>;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Sends SIGKILL, so that it cannot write anything, and waits for the end. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Prepares a server, which is not started yet. It ends with this process, however that ends. */
export function natsProcess({ through = [], configFile, pidFile, onEnd }: Options): NatsProcess {
  let child: ChildProcess | undefined;
  let pid = 0;
  const alive = () => child !== undefined && child.exitCode === null && child.signalCode === null;

  async function end(finish: () => void): Promise<void> {
    if (!child || !alive()) return;
    const exited = once(child, 'exit');
    finish();
    await exited;
  }

  return {
    pid: () => pid,
    alive,
    async start() {
      // In a process group of its own, because Ctrl-C in a terminal is for us, and we stop in order.
      const started = spawn(
        '/bin/sh',
        [guard, MEMORY_KIB, ...through, 'nats-server', '-c', configFile, '-P', pidFile],
        {
          detached: true,
          env: { PATH: process.env.PATH },
          stdio: ['pipe', 'ignore', 'pipe'],
        },
      );
      child = started;
      started.stdin.on('error', () => {});
      started.stdin.write('start\n');
      await untilReady(started);
      pid = Number(await readFile(pidFile, 'utf8'));
      if (onEnd) started.once('exit', onEnd);
    },
    signal: (name) => void process.kill(pid, name),
    kill: () => end(() => process.kill(pid, 'SIGKILL')),
    stop: () =>
      end(() => {
        // A paused process would not notice that it should end.
        process.kill(pid, 'SIGCONT');
        child?.stdin?.end();
      }),
  };
}

async function untilReady(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const last: string[] = [];
  const fail = (why: string) => reject(new Error(`nats-server ${why}\n${last.join('\n')}`));
  const timer = setTimeout(() => fail('was not ready in time.'), WAIT_MS);
  createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
    last.push(line);
    if (last.length > LAST_LINES) last.shift();
    if (line.includes('Server is ready')) resolve();
  });
  child.once('exit', () => fail('ended before it was ready.'));
  try {
    await promise;
  } finally {
    clearTimeout(timer);
  }
}
