import { readFileSync } from 'node:fs';
import { usageError } from './exit.ts';

/** The system's word for what is wrong, such as ` (ENOENT)`; nothing where it has none. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';

/** A file of the person's. @throws CommandError that names it */
export function readOwnFile(path: string, what = path): Buffer<ArrayBuffer> {
  try {
    return readFileSync(path);
  } catch (error) {
    throw usageError(`${what} cannot be read${systemCode(error)}.`);
  }
}
