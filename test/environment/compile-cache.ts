import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the code of programs that tests start again and again is kept, compiled. */
export const COMPILE_CACHE = join(tmpdir(), 'node-compile-cache');

/** All that a program of ours needs beside its settings. */
export const PROGRAM_ENV = {
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  // For what such a program starts in turn.
  ...(process.env.TEST_PROGRAMS && { TEST_PROGRAMS: process.env.TEST_PROGRAMS }),
};
