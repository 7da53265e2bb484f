/** Saves a test with its token in a file that only the file's owner can read. */

import { rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CreatedTest } from '../api/schemas/tests.ts';
import { CommandError, toCommandError, usageError } from './exit.ts';
import { systemCode } from './files.ts';

/** File permissions for the owner alone, because the token opens the report. */
const PRIVATE = 0o600;

/**
 * Saves a test with its token and the URL of its service.
 *
 * @throws CommandError if the file already exists or cannot be written
 */
export function saveTest(path: string, test: CreatedTest, service: string): void {
  try {
    write(path, test, service);
  } catch {
    throw usageError(`${path} cannot be written, or already exists. Name another file.`);
  }
}

const write = (path: string, test: CreatedTest, service: string) =>
  writeFileSync(path, `${JSON.stringify({ ...test, service }, null, 2)}\n`, {
    mode: PRIVATE,
    flag: 'wx',
  });

/** A test that is kept in a file of our own as long as its report could be lost. */
export interface KeptTest {
  /** True if the test is in a file. */
  isSaved(): boolean;
  /** Saves the test. Never throws: says in a sentence where the test is, or why it could not be saved. */
  save(): string;
  /** Saves the test, and adds this sentence to an error. */
  explain(error: unknown): CommandError;
  /** Deletes the file. */
  remove(): void;
}

/** Returns a test that can be kept in the folder for temporary files, or in the user's own folder. */
export function toKeptTest(test: CreatedTest, service: string): KeptTest {
  let path: string | null = null;

  function save(): string {
    const failures: string[] = [];
    for (const folder of path === null ? [tmpdir(), homedir()] : []) {
      const file = join(folder, `deliverability-${test.test_id}.json`);
      try {
        write(file, test, service);
        path = file;
        break;
      } catch (error) {
        failures.push(`${folder}${systemCode(error)}`);
      }
    }
    return path === null
      ? `The test ${test.test_id} cannot be saved in ${failures.join(' or ')}, and its read token is never printed, so nobody can read the report once this command has ended. Set TMPDIR to a folder that can be written, or use \`deliverability new\` and keep the token that it prints.`
      : `The test is saved in ${path}. For 24 hours you can read its report with: deliverability report ${path}`;
  }

  return {
    isSaved: () => path !== null,
    save,
    explain(error) {
      const { code, message, details } = toCommandError(error);
      const more = `${message}\n${save()}`;
      const kept = path === null ? {} : { kept_test: path };
      return new CommandError(code, more, { test_id: test.test_id, ...details, ...kept });
    },
    remove() {
      if (path !== null) rmSync(path, { force: true });
      path = null;
    },
  };
}
