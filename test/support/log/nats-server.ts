/**
 * Runs a nats-server for tests that can be killed, restarted and emptied, and whose files can be searched.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePorts } from '../../environment/free-ports.ts';

/**
 * Shell command that runs a program with limited address space, in KiB. At its start, nats-server 2.15.1 uses
 * unlimited memory if a flipped bit has made a record's sequence large. Some systems do not know this limit.
 */
const LIMITED = 'ulimit -v 6000000 2>/dev/null; exec "$0" "$@"';

/** A server on a port that stays the same, so that clients find it again after a restart. */
export interface NatsServer {
  readonly url: string;
  readonly monitoringUrl: string;
  readonly storeDir: string;
  pid(): number;
  /** Sends SIGKILL, so that it cannot write anything. */
  kill(): Promise<void>;
  /** Sends SIGTERM, after which it writes what it knows about its files. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends the server, and starts it with an empty store. */
  empty(): Promise<void>;
  /** Returns whether those bytes are anywhere in the store's files. */
  stores(text: string): Promise<boolean>;
  end(): Promise<void>;
}

/**
 * Starts nats-server on loopback with a store of its own.
 * @param extra additional lines of its configuration
 * @param maxFileStore the limit for all streams, in bytes; by default the server uses what is left on the
 * disk
 */
export async function startNats({
  sync = '2m',
  extra = '',
  encrypted = false,
  maxFileStore = 16 * 1024 ** 3,
} = {}): Promise<NatsServer> {
  const home = await mkdtemp(join(tmpdir(), 'nats-'));
  const storeDir = join(home, 'store');
  const [port, monitoringPort] = await freePorts(2);
  const configFile = join(home, 'server.conf');
  await writeFile(
    configFile,
    `listen: "127.0.0.1:${port}"
http: "127.0.0.1:${monitoringPort}"
jetstream { store_dir: ${JSON.stringify(storeDir)}, sync_interval: ${sync} ${encrypted ? ', cipher: aes, key: test' : ''}, max_file_store: ${maxFileStore} }
${extra}
`,
  );
  let child: ChildProcess;

  async function start(): Promise<void> {
    const command = ['-c', LIMITED, 'nats-server', '-c', configFile];
    const started = spawn('sh', command, { stdio: ['ignore', 'ignore', 'pipe'] });
    child = started;
    const log = createInterface({ input: started.stderr });
    await new Promise<void>((resolve, reject) => {
      log.on('line', (line) => line.includes('Server is ready') && resolve());
      started.once('exit', () => reject(new Error('nats-server ended before it was ready')));
    });
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    monitoringUrl: `http://127.0.0.1:${monitoringPort}`,
    storeDir,
    pid: () => child.pid ?? 0,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    start,
    async empty() {
      await end('SIGKILL');
      await rm(storeDir, { recursive: true, force: true });
      await start();
    },
    async stores(text) {
      const names = await readdir(storeDir, { recursive: true, withFileTypes: true });
      const files = names.filter((one) => one.isFile());
      const found = files.map(async ({ parentPath, name }) =>
        (await readFile(join(parentPath, name))).includes(text),
      );
      return (await Promise.all(found)).includes(true);
    },
    async end() {
      await end('SIGTERM');
      await rm(home, { recursive: true, force: true });
    },
  };
}
