/**
 * Speeds up programs that tests start again and again, by keeping their compiled code and by running their
 * bundles.
 */

import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the compiled code of programs that tests start again and again. */
export const COMPILE_CACHE = join(tmpdir(), 'node-compile-cache');

/** Everything that one of our programs needs besides its settings. */
export const PROGRAM_ENV = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  // A program may itself start programs of ours, which need this variable.
  ...(process.env.TEST_PROGRAMS && { TEST_PROGRAMS: process.env.TEST_PROGRAMS }),
};

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Returns a module as `test/run/programs.ts` has built it for a test run, or the module itself.
 * @param main path of the module, from the project's root if it is relative
 */
export function programOf(main: string): string {
  const { TEST_PROGRAMS } = process.env;
  const path = resolve(root, main);
  const made = join(TEST_PROGRAMS ?? '', relative(root, path).replace(/ts$/, 'mjs'));
  return TEST_PROGRAMS && existsSync(made) ? made : path;
}
