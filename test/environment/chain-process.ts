/** Runs anvil, a local Ethereum node, as a child process. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { WAIT_MS } from '../run/limits.mjs';

/** Base's chain id, so that what is signed here is signed for `eip155:8453`. */
export const CHAIN_ID = 8453;

const STOP_MS = 5_000;

/**
 * Starts anvil and holds our end of the pipe. anvil does not watch its parent, so this shell does: when the
 * pipe closes, even because node was killed, anvil gets a TERM. The shell closes its own outputs, so that
 * they end when anvil ends. It also removes the old states that anvil leaves on the disk.
 */
const WRAPPER =
  'dir=$(mktemp -d); "$@" --cache-path "$dir" </dev/null & chain=$!; echo "pid $chain"; exec >/dev/null 2>&1; cat; kill -TERM $chain; wait $chain; rm -rf "$dir"';

/** A running process of anvil, the local chain. */
export interface ChainProcess {
  readonly rpcUrl: string;
  /** anvil's own pid, not the shell's. */
  readonly pid: number;
  stop(): Promise<void>;
}

/**
 * Runs an empty chain on loopback. Port 0 means any free one. Nothing is known about blocks before the first.
 *
 * @throws if anvil ends, or does not say where it listens
 */
export async function startChainProcess(port: number, firstBlock = 0): Promise<ChainProcess> {
  const options = [
    ...['--chain-id', `${CHAIN_ID}`, '--number', `${firstBlock}`],
    ...['--host', '127.0.0.1', '--port', `${port}`],
  ];
  const shell = spawn('sh', ['-c', WRAPPER, 'sh', anvilPath(), ...options, '--color', 'never'], {
    // In a session of its own, because Ctrl-C in the terminal is for the parent, which then stops us in
    // order.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = once(shell, 'exit');
  exited.catch(() => {});
  shell.stdin.on('error', () => {});

  const stop = async () => {
    shell.stdin.end();
    await Promise.race([exited, delay(STOP_MS, undefined, { ref: false })]);
    if (shell.exitCode === null && shell.signalCode === null && shell.pid)
      // The group consists of the shell and anvil.
      process.kill(-shell.pid, 'SIGKILL');
  };

  try {
    const { pid, address } = await announced(shell);
    return { pid, rpcUrl: `http://${address}`, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Waits for the lines that name the pid and the address. anvil is listening by then. */
function announced(shell: ChildProcessWithoutNullStreams) {
  const { promise, resolve, reject } = Promise.withResolvers<{ pid: number; address: string }>();
  let text = '';
  const fail = (why: string) => reject(new Error(`anvil ${why}: ${text.slice(-2000)}`));
  const timer = setTimeout(() => fail(`was not ready within ${WAIT_MS} ms`), WAIT_MS);
  const onData = (chunk: Buffer) => {
    text += chunk;
    const pid = /^pid (\d+)$/m.exec(text)?.[1];
    const address = /^Listening on (\S+)$/m.exec(text)?.[1];
    if (pid && address) resolve({ pid: Number(pid), address });
  };
  const outputs = [shell.stdout, shell.stderr];
  for (const output of outputs) output.on('data', onData);
  void Promise.all(outputs.map((output) => once(output, 'end'))).then(
    () => fail('ended before it was ready'),
    reject,
  );
  shell.once('error', reject);
  return promise.finally(() => {
    clearTimeout(timer);
    // Still read to the end, because a full pipe would stop anvil, which logs every call.
    for (const output of outputs) output.off('data', onData).resume();
  });
}

/** Returns the binary itself, because the package's own launcher needs install scripts, which may be off. */
function anvilPath(): string {
  const system = { linux: 'linux', darwin: 'darwin' }[process.platform as string];
  const machine = { x64: 'amd64', arm64: 'arm64' }[process.arch as string];
  try {
    return createRequire(import.meta.url).resolve(
      `@foundry-rs/anvil-${system}-${machine}/bin/anvil`,
    );
  } catch (cause) {
    throw new Error(
      `The package @foundry-rs/anvil has no binary here for ${process.platform} ${process.arch}. Run npm ci with optional dependencies.`,
      { cause },
    );
  }
}
