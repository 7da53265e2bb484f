/** Reads files that the user names, with errors that name them too. */

import { readFileSync } from 'node:fs';
import { usageError } from './exit.ts';

/** Returns the system's word for what is wrong, such as ` (ENOENT)`, or nothing if there is none. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';

/** Reads one of the user's files. @throws CommandError that names it */
export function readOwnFile(path: string, what = path): Buffer<ArrayBuffer> {
  try {
    return readFileSync(path);
  } catch (error) {
    throw usageError(`${what} cannot be read${systemCode(error)}.`);
  }
}
