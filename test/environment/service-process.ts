/**
 * Runs the service as a child process, starts it again if it dies, and replaces it with a process of other
 * settings or of another checkout.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { parse } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Fixed } from '../../src/config/constants.ts';
import { programOf } from './compile-cache.ts';
import { freePorts } from './free-ports.ts';

/** Where the service listens, according to its log. */
export interface Listening {
  readonly pid: number;
  readonly http: string;
  readonly smtp: string;
  readonly metrics: string;
}

/** Longest time from the start to the line that says where it listens, in milliseconds. */
const START_MS = 180_000;

/** If the process ends repeatedly within less than this, in milliseconds, that is no accident. */
const TOO_SOON_MS = 1_000;

const compiled = new URL('compiled.mjs', import.meta.url).href;
const ownMain = fileURLToPath(new URL('service-main.ts', import.meta.url));

/** Values without limits, because everything comes from one client. */
const UNLIMITED: Partial<Fixed> = {
  rateLimits: { wrongToken: 0, unknownId: 0, default: 0 },
  dnsQueriesPerClient: 0,
  dnsQueriesPerTest: 0,
};

interface Options {
  readonly env: Readonly<Record<string, string>>;
  /** Replaces what no setting changes. By default, there are no limits. */
  readonly fixed?: Partial<Fixed> | undefined;
  /** Called with each line of the service's log. */
  readonly onLog: (line: string) => void;
  /** A module that is loaded before the service, including its workers. */
  readonly preload?: URL;
  /** Number of files that it may have open. Default: as many as this process. */
  readonly files?: number;
  /** The service's main module, instead of the one here: that of another checkout. */
  readonly main?: string;
}

/** Differences between a process of the service and the one that replaces it. */
interface Change {
  readonly env?: Readonly<Record<string, string>>;
  readonly main?: string | undefined;
  /** Work that is done while neither process is running. */
  readonly between?: () => Promise<unknown>;
}

/**
 * Runs the service as a child. If it dies, for example by `kill -9`, it is started again at the same
 * addresses, and the environment around it continues.
 */
export async function startService(options: Options) {
  const { env, fixed, onLog, preload, files, main: first = ownMain } = options;
  const loading = preload ? ['--import', programOf(fileURLToPath(preload))] : [];
  let main = first;
  let settings = await withPorts(env);
  let stopping = false;
  let told: object | undefined;
  let child: ChildProcess;
  let listening: Listening;

  async function start() {
    const started = performance.now();
    const made = programOf(main);
    const [program = '', ...args] = [
      ...(files === undefined ? [] : ['prlimit', `--nofile=${files}`]),
      ...[process.execPath, ...(made === main ? ['--import', compiled] : []), ...loading],
      ...[made, JSON.stringify({ ...UNLIMITED, ...fixed })],
    ];
    const next = spawn(program, args, {
      // There is no `.env` in this folder, so these settings are all there are.
      cwd: parse(main).root,
      env: settings,
      // The channel ends the service when we are gone, whatever ended us.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child = next;
    if (told) next.send(told, () => undefined);
    let last = '';
    const onOutput = (text: string) => {
      last = text;
      onLog(text);
    };
    next.stderr?.on('data', (chunk) => onOutput(String(chunk).trimEnd()));
    listening = await untilListening(next, onOutput).catch((error: Error) => {
      throw new Error(`${error.message} Its last log line: ${last || 'none'}`);
    });
    next.once('exit', () => {
      if (stopping) return;
      onLog(`The service (pid ${next.pid}) ended; starting it again.`);
      const pause = performance.now() - started < TOO_SOON_MS ? TOO_SOON_MS : 0;
      setTimeout(() => start().catch(fail), pause);
    });
  }

  function fail(error: unknown) {
    onLog(`The service does not start again: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }

  await start();
  return {
    listening: () => listening,
    /**
     * Sends a message to the preloaded module, which responds. A process started later gets the same message
     * first.
     */
    async notify(message: object): Promise<void> {
      told = message;
      if (!child.connected) return;
      const handled = new AbortController();
      const { signal } = handled;
      const end = Promise.race([
        once(child, 'message', { signal }),
        once(child, 'exit', { signal }),
      ]);
      // A process that dies in the meantime gets the message when it is started again.
      child.send(message, () => undefined);
      await end;
      handled.abort();
    },
    /** Sends SIGTERM, then starts another process at the same addresses. */
    async replace(change: Change): Promise<void> {
      await end();
      await change.between?.();
      settings = { ...settings, ...change.env };
      main = change.main ?? main;
      stopping = false;
      await start();
    },
    stop: end,
  };

  async function end() {
    stopping = true;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

/**
 * Replaces port 0 in the settings with real ports, so that clients find the next process where they found
 * this one.
 */
async function withPorts(env: Readonly<Record<string, string>>) {
  const names = ['HTTP_PORT', 'SMTP_PORT', 'METRICS_PORT'].filter((name) => env[name] === '0');
  const ports = await freePorts(names.length);
  return { ...env, ...Object.fromEntries(names.map((name, at) => [name, String(ports[at])])) };
}

async function untilListening(child: ChildProcess, onLog: (line: string) => void) {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const told = new Promise<Listening>((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error('The service did not listen in time.'));
    }, START_MS);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The service ended with code ${code} before it listened.`));
    });
    lines.on('line', (line) => {
      onLog(line);
      const entry = toEntry(line);
      if (entry?.msg !== 'listening') return;
      clearTimeout(timer);
      resolve(entry as unknown as Listening);
    });
  });
  return told;
}

function toEntry(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
