/** Reads files that the user has named, and names whatever cannot be read or written in error messages. */

import { readFileSync } from 'node:fs';
import { type CommandError, usageError } from './exit.ts';

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

/**
 * Returns the error for a stdout that cannot be written. Returns null if a reader such as `head` has closed
 * the pipe.
 */
export const stdoutError = (error: Error): CommandError | null =>
  'code' in error && error.code === 'EPIPE'
    ? null
    : usageError(`stdout cannot be written${systemCode(error)}.`);
