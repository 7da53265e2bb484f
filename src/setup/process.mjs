/**
 * Runs programs for the setup scripts, reads and compares their versions, and reports progress and
 * obstacles.
 */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

/** The first version of Node.js that runs TypeScript directly and supports all packages. */
export const MINIMUM_NODE = '24';

/** Signals that ask for an orderly end. */
const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** How often a long step reports that it is still running, in milliseconds. */
const SIGN_MS = 15_000;

/** How often to check whether npm is still running, in milliseconds. */
const CHECK_MS = 500;

/**
 * An obstacle that prevents the setup of a script, described in a sentence for the person who started the
 * script.
 */
export class SetUpError extends Error {}

/**
 * Prints what is being done, on stderr: stdout belongs to the command.
 *
 * @param {string} sentence
 */
export const log = (sentence) => void process.stderr.write(`setup: ${sentence}\n`);

/**
 * Runs one step of the setup. Everything that it prints goes to stderr. While it prints nothing, a line
 * reports now and then that it is still running.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, timeout?: number, signMs?: number }} [options] in milliseconds
 * @throws if the step fails
 */
export async function run(program, args, { signMs = SIGN_MS, ...options } = {}) {
  const start = Date.now();
  const goesOn = () => log(`still running after ${Math.round((Date.now() - start) / 1000)} s`);
  const signs = setInterval(goesOn, signMs);
  try {
    const [code] = await once(
      spawn(program, args, { ...options, stdio: ['ignore', 2, 2] }),
      'exit',
    );
    if (code !== 0) throw new Error(`${program} ended with code ${code}`);
  } finally {
    clearInterval(signs);
  }
}

/**
 * Runs the command of a script with this process's own input and output, and passes signals on to it.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>} its exit code; 128 plus the signal's number if a signal ended it
 */
export async function runInPlace(program, args, env) {
  // The channel closes when this process is gone, whatever ended it.
  const child = spawn(program, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env });
  // npm ends on SIGTERM without passing the signal on, and on `kill -9` it cannot pass anything on.
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (!process.env.npm_lifecycle_event || process.ppid === npm) return;
    // The signal is sent only once, because a program may read a second one as "at once".
    clearInterval(watch);
    child.kill('SIGTERM');
  }, CHECK_MS);
  watch.unref();
  for (const signal of signals)
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the child too, and a second signal would mean "at once".
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  const [code, signal] = await once(child, 'exit');
  return code ?? 128 + constants.signals[/** @type {NodeJS.Signals} */ (signal)];
}

/**
 * Returns whether one dotted version is at least another. A leading `v` and an ending such as `-rc.1` are
 * ignored.
 *
 * @param {string} version
 * @param {string} minimum
 */
export const isAtLeast = (version, minimum) =>
  version.replace(/^v/, '').localeCompare(minimum, 'en', { numeric: true }) >= 0;

/**
 * Returns the version that a program prints for `--version`; `undefined` if the program cannot be run here.
 *
 * @param {string} bin
 */
export function versionOf(bin) {
  try {
    const output = execFileSync(bin, ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 10_000,
    });
    return /v(\d+\.\d+\.\d+)/.exec(output)?.[1];
  } catch {
    return undefined;
  }
}
