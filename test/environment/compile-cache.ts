import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the code of programs that tests start again and again is kept, compiled. */
export const COMPILE_CACHE = join(tmpdir(), 'node-compile-cache');

/** All that a program of ours needs beside its settings. */
export const PROGRAM_ENV = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  // For what such a program starts in turn.
  ...(process.env.TEST_PROGRAMS && { TEST_PROGRAMS: process.env.TEST_PROGRAMS }),
};

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A module as `test/run/programs.ts` has made it for a run of the tests, or the module itself. */
export function programOf(main: string): string {
  const { TEST_PROGRAMS } = process.env;
  const made = join(TEST_PROGRAMS ?? '', relative(root, main).replace(/ts$/, 'mjs'));
  return TEST_PROGRAMS && existsSync(made) ? made : main;
}
