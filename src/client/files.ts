/** Reads files that the user has named, with error messages that name them too. */

import { readFileSync } from 'node:fs';
import { usageError } from './exit.ts';

/** Returns the system's code for an error, such as ` (ENOENT)`, or an empty text if there is none. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';

/**
 * Reads a file that the user has named.
 * @throws CommandError that names the file
 */
export function readOwnFile(path: string, what = path): Buffer<ArrayBuffer> {
  try {
    return readFileSync(path);
  } catch (error) {
    throw usageError(`${what} cannot be read${systemCode(error)}.`);
  }
}
