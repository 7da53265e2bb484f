/** Saves a test with its token in a file that only the file's owner can read. */

import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CreatedTest } from '../api/schemas/tests.ts';
import { usageError } from './exit.ts';

/** File permissions for the owner alone, because the token opens the report. */
const PRIVATE = 0o600;

/**
 * Saves a test with its token and the URL of its service.
 *
 * @throws CommandError if the file already exists or cannot be written
 */
export function saveTest(path: string, test: CreatedTest, service: string): string {
  try {
    writeFileSync(path, `${JSON.stringify({ ...test, service }, null, 2)}\n`, {
      mode: PRIVATE,
      flag: 'wx',
    });
  } catch {
    throw usageError(`${path} cannot be written, or already exists. Name another file.`);
  }
  return path;
}

/** Returns the path at which a test is saved if the user has named no file. */
export const ownPath = ({ test_id }: CreatedTest): string =>
  join(tmpdir(), `deliverability-${test_id}.json`);
