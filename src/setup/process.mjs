import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { watchNpm } from './parent.mjs';

/** Signals that ask for an orderly end. */
const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs one step of the set-up. All it says goes to stderr.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs?: number }} [options]
 * @returns {Promise<void>} rejects when it fails
 */
export function run(program, args, { timeoutMs, ...options } = {}) {
  return new Promise((resolve, reject) => {
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
}

/**
 * Runs a script's command in our place: its input and output are ours, signals reach it.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} its exit code; 128 and the signal's number if a signal ended it
 */
export function become(program, args, env) {
  return new Promise((resolve, reject) => {
    // The channel tells the child that we are gone, whatever ends us.
    const child = spawn(program, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
    watchNpm(() => child.kill('SIGTERM'));
    for (const signal of signals)
      process.on(signal, () => {
        // A terminal sends Ctrl-C to the child too, and a second one would be taken for "at once".
        if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
      });
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      resolve(signal ? 128 + constants.signals[signal] : (code ?? 1)),
    );
  });
}
