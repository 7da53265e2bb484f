/**
 * Starts and ends a nats-server of our own, and finds the address and token of one that was already started.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { memoryOf, type ServerLimits, serverConfig } from './server-config.ts';
import { followServerLog, type Logger } from './server-log.ts';
import { explainFileError, explainServerLog, wrongKey } from './start-faults.ts';
import { takeStoreLock } from './store-lock.ts';

const guard = fileURLToPath(new URL('guard.sh', import.meta.url));

/** Maximum time to wait for the server to respond, in milliseconds. A large store takes seconds to read. */
const START_MS = 15_000;

/** Time for the server to end on its own, in milliseconds. After that it is killed. */
const STOP_MS = 10_000;

/** How often the server is checked while it starts, in milliseconds. It is ready after about 11 ms. */
const POLL_MS = 5;

/** Options of {@link startEmbeddedNats}. */
export interface EmbeddedNatsOptions {
  /** The folder that contains the store, the lock and the server's private files. */
  readonly dataDir: string;
  /** The nats-server to run, 2.10 or newer. Default: the one on the PATH. */
  readonly serverBin?: string | undefined;
  /** The key with which the store is encrypted. Null if the store is not encrypted. */
  readonly storeKey?: string | null | undefined;
  readonly logger?: Logger | undefined;
  readonly limits?: ServerLimits | undefined;
  /** A server that has ended. The new server gets its port and token, so that its clients find it. */
  readonly successorOf?: Pick<EmbeddedNats, 'url' | 'token'> | undefined;
}

/** A nats-server of our own. It ends with this process, however this process ends. */
export interface EmbeddedNats {
  /** The URL of the server: `nats://127.0.0.1:<port>`. */
  readonly url: string;
  /** The token that a client must show. Each server without a predecessor gets a new one. */
  readonly token: string;
  /** Process id of nats-server itself. */
  readonly pid: number;
  /** Resolves when the server has ended, intentionally or not. */
  readonly ended: Promise<void>;
  /** Returns whether a write has failed, so that the server no longer stores everything. */
  storeFailed(): boolean;
  /** Ends the server and releases the store. It may be called again. */
  stop(): Promise<void>;
}

/**
 * Starts a nats-server on loopback that keeps its streams in `dataDir`.
 *
 * @throws if another service uses `dataDir`, if its disk is full, if this user may not write there, if the
 * store needs another key, and, with the server's own log, if it does not become ready within 15 s
 */
export async function startEmbeddedNats(options: EmbeddedNatsOptions): Promise<EmbeddedNats> {
  const dataDir = resolve(options.dataDir);
  try {
    return await start({ ...options, dataDir });
  } catch (error) {
    const fault = explainFileError(error, dataDir);
    throw fault === undefined ? error : new Error(fault, { cause: error });
  }
}

async function start(options: EmbeddedNatsOptions): Promise<EmbeddedNats> {
  const deadline = performance.now() + START_MS;
  const { dataDir } = options;
  const home = join(dataDir, 'nats');
  const portsDir = join(home, 'ports');
  await mkdir(home, { recursive: true });
  await chmod(home, 0o700);

  const configFile = join(home, 'server.conf');
  const memoryBytes = memoryOf(options.limits ?? {});
  // The server gets a process group of its own: Ctrl-C in a terminal is for the service, which then stops
  // everything in order.
  const server = [options.serverBin ?? 'nats-server', '-c', configFile];
  const child = spawn('/bin/sh', [guard, String(Math.floor(memoryBytes / 1024)), ...server], {
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((done) => {
    // A guard that was itself killed would leave its server behind.
    child.once('exit', (_, signal) => done(signal ? killGroup(child) : undefined));
    child.once('error', () => done());
  });
  // The pipe may belong to a guard that has already ended. Only the end of the pipe matters.
  child.stdin.on('error', () => {});
  const log = followServerLog(child.stderr, options.logger);

  let unlock: (() => Promise<void>) | undefined;
  const stop = async () => {
    await end(child, ended);
    await unlock?.();
  };

  try {
    unlock = await takeStoreLock({
      path: join(dataDir, 'nats.lock'),
      guardPid: child.pid ?? 0,
      deadline,
    });
    // A file that was left by an earlier server that was killed would be mistaken for the file of this
    // server.
    await rm(portsDir, { recursive: true, force: true });
    await mkdir(portsDir, { mode: 0o700 });

    const { successorOf: former, storeKey = null, limits } = options;
    const token = former?.token ?? randomBytes(24).toString('hex');
    const port = former ? Number(new URL(former.url).port) : -1;
    const storeDir = join(home, 'store');
    const config = serverConfig({
      ...{ port, storeDir, portsDir, token, limits, encrypted: storeKey !== null },
    });
    await rm(configFile, { force: true });
    await writeFile(configFile, config, { mode: 0o600 });

    // The key is written in quotes, because a key such as 123 would otherwise be read as a number.
    child.stdin.write(`${JSON.stringify(storeKey ?? '')}\n`);
    for (;;) {
      const found = log.isReady() && (await readPorts(portsDir));
      // Creating the streams again would destroy those that the server cannot decrypt.
      if (found && log.needsKey()) throw new Error(wrongKey(dataDir, storeKey !== null));
      if (found) return { ...found, token, ended, storeFailed: log.storeFailed, stop };
      // The shell exits with this code if it cannot find the program.
      if (child.exitCode === 127)
        throw new Error('There is no nats-server: set NATS_URL, or start with `npm start`.');
      if (child.exitCode !== null || child.signalCode !== null) {
        const lines = await log.rest();
        throw new Error(
          log.isOutOfMemory()
            ? `nats-server needs more than its limit of ${(memoryBytes / 2 ** 30).toFixed(1)} GiB of memory to start on ${storeDir}: a block of the store may be damaged. See "A server that does not start" in docs/operations.md.`
            : (explainServerLog(lines, dataDir) ??
                `nats-server ended before it was ready:\n${lines}`),
        );
      }
      if (performance.now() > deadline)
        throw new Error(`nats-server was not ready after ${START_MS / 1000} s:\n${log.tail()}`);
      await sleep(POLL_MS);
    }
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Reads the file `<program>_<pid>.ports`. Returns `undefined` while it is missing or half written. */
async function readPorts(dir: string): Promise<{ url: string; pid: number } | undefined> {
  const name = (await readdir(dir)).find((one) => one.endsWith('.ports'));
  const pid = Number(name?.match(/_(\d+)\.ports$/)?.[1]);
  if (!name || !pid) return undefined;
  try {
    const ports = JSON.parse(await readFile(join(dir, name), 'utf8'));
    return { url: String(ports.nats[0]), pid };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Closes the pipe, which makes the server end, and kills its whole group if that takes too long. */
async function end(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.stdin?.end();
  const cut = new AbortController();
  const late = sleep(STOP_MS, true, { signal: cut.signal }).catch(() => false);
  if ((await Promise.race([ended, late])) === true) killGroup(child);
  cut.abort();
  await ended;
}

function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // The process group is already empty.
  }
}

/**
 * Returns the address and the token that the server of a running service left in `dataDir`, or `undefined` if
 * there never was a server. The server may have ended; only an attempt to connect shows that.
 */
export async function findEmbeddedNats(
  dataDir: string,
): Promise<{ readonly url: string; readonly token: string } | undefined> {
  const home = join(dataDir, 'nats');
  try {
    const config = await readFile(join(home, 'server.conf'), 'utf8');
    const token = config.match(/token: "([0-9a-f]+)"/)?.[1];
    const [name] = await readdir(join(home, 'ports'));
    if (!name || !token) return undefined;
    const ports: unknown = JSON.parse(await readFile(join(home, 'ports', name), 'utf8'));
    const url = (ports as { nats?: readonly string[] }).nats?.[0];
    return url === undefined ? undefined : { url, token };
  } catch {
    return undefined;
  }
}
