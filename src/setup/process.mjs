import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { log } from './output.mjs';
import { watchNpm } from './parent.mjs';

/** Signals that ask for an orderly end. */
const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** How often a step that takes long says that it goes on, in milliseconds. */
const SIGN_MS = 15_000;

/**
 * Runs one step of the set-up. All it prints goes to stderr, and while it prints nothing, that it goes on.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number, signMs?: number }} [options]
 * @returns {Promise<void>} rejects when it fails
 */
export function run(program, args, { timeoutMs, signMs = SIGN_MS, ...options } = {}) {
  const start = Date.now();
  const signs = setInterval(
    () => log(`still at it, after ${Math.round((Date.now() - start) / 1000)} s`),
    signMs,
  );
  /** @type {Promise<void>} */
  const ended = new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      ...options,
      ...(timeoutMs && { timeout: timeoutMs }),
      stdio: ['ignore', process.stderr, process.stderr],
    });
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} ended with code ${code}`)),
    );
  });
  return ended.finally(() => clearInterval(signs));
}

/**
 * Runs a script's command in place of this process: with its input and output, and its signals.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} its exit code; 128 and the signal's number if a signal ended it
 */
export function runInPlace(program, args, env) {
  return new Promise((resolve, reject) => {
    // The channel closes when this process is gone, whatever ended it.
    const child = spawn(program, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
    watchNpm(() => child.kill('SIGTERM'));
    for (const signal of signals)
      process.on(signal, () => {
        // A terminal sends Ctrl-C to the child too, and a second one means "at once".
        if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
      });
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      resolve(signal ? 128 + constants.signals[signal] : (code ?? 1)),
    );
  });
}
