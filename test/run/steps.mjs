/** Runs the programs of a check or of a test run, and collects their output. */

import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { projectDir } from '../../src/setup/cache.mjs';
import { COMPILE_CACHE } from '../environment/compile-cache.ts';

/**
 * The environment of the programs. Those of the packages come first and are compiled once, and those that
 * send telemetry are told not to.
 */
const env = {
  ...process.env,
  PATH: [join(projectDir, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
};

/**
 * Runs the steps of a check one after another until one fails, and keeps their output.
 *
 * @param {import('./checks.mjs').Step[]} steps
 */
export async function capture(steps) {
  const start = Date.now();
  /** @type {Buffer[]} */
  const said = [];
  let ok = true;
  for (const { program, args, into } of steps) {
    if (!ok) break;
    const file = into && openSync(into, 'w');
    const child = spawn(program, args, {
      cwd: projectDir,
      env,
      stdio: ['ignore', file || 'pipe', 'pipe'],
    });
    if (file) closeSync(file);
    child.stdout?.on('data', (chunk) => said.push(chunk));
    child.stderr?.on('data', (chunk) => said.push(chunk));
    ok = (await exitCodeOf(child)) === 0;
  }
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  return { ok, output: Buffer.concat(said).toString().trimEnd(), seconds };
}

/**
 * Runs a program whose output is shown directly.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [more] variables in addition to our own
 */
const show = (program, args, more) =>
  exitCodeOf(
    spawn(program, args, {
      cwd: projectDir,
      env: { ...env, ...more },
      stdio: ['ignore', 'inherit', 'inherit'],
    }),
  );

/**
 * Resolves to the exit code of a program. If this process is interrupted, it interrupts the program and waits
 * for its end, so that both can clean up.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
const exitCodeOf = (child) =>
  new Promise((resolve, reject) => {
    const end = () => void child.kill();
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, end);
    child.once('error', reject);
    child.once('close', (code) => {
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, end);
      resolve(code ?? 1);
    });
  });

/**
 * Runs tests, and returns what Vitest reported.
 *
 * @param {string} folder for its report
 * @param {string[]} args
 * @param {{ reporter?: 'default' | 'dot' | 'minimal', env?: NodeJS.ProcessEnv }} [options] `env`: variables
 * in addition to our own
 */
export async function runVitest(folder, args, { reporter = 'default', env: more } = {}) {
  const file = join(folder, 'vitest.json');
  const reporters = [`--reporter=${reporter}`, '--reporter=./test/run/json-report.mjs'];
  const all = ['run', '-c', 'test/vitest.config.ts', ...reporters, `--outputFile.json=${file}`];
  const exitCode = await show('vitest', [...all, ...args], more);
  return { exitCode, results: readJson(file) };
}

/** @param {string} file */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
