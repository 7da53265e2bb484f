/** Reads files that the user has named, and names whatever cannot be read or written in error messages. */

import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type CommandError, usageError } from './exit.ts';

/** Returns the system's code for an error, such as ` (ENOENT)`, or an empty text if there is none. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';

/**
 * Returns whether two paths lead to the same file, for example through a link, or in another letter case where
 * that makes no difference.
 */
export function isSameFile(one: string, other: string): boolean {
  if (resolve(one) === resolve(other)) return true;
  const [first, second] = [one, other].map(identityOf);
  return first !== undefined && first === second;
}

/** Returns what identifies a regular file; `undefined` if there is none at the path. */
function identityOf(path: string): string | undefined {
  try {
    const file = statSync(path, { bigint: true });
    return file.isFile() ? `${file.dev} ${file.ino}` : undefined;
  } catch {
    return undefined;
  }
}

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
