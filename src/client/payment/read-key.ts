/** Reads the private key that pays, from a file or from the environment. */

import { readFileSync, statSync } from 'node:fs';
import { CommandError, usageError } from '../exit.ts';
import { systemCode } from '../files.ts';

const KEY = /^(?:0x)?([0-9a-fA-F]{64})$/;

/** Permission bits with which anyone on the machine can read a file. */
const OTHERS = 0o007;

/**
 * Returns the key that pays: from the file of `--key-file` or DELIVERABILITY_KEY_FILE, or from
 * DELIVERABILITY_KEY. The key is never on the command line, because others can see it there. Returns `null`
 * if there is none.
 *
 * @throws CommandError without a byte of what it read
 */
export function readKey(
  file: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): `0x${string}` | null {
  const path = file ?? env.DELIVERABILITY_KEY_FILE;
  if (path) return toKey(readKeyFile(path), `The key file ${path}`);
  return env.DELIVERABILITY_KEY ? toKey(env.DELIVERABILITY_KEY, 'DELIVERABILITY_KEY') : null;
}

function readKeyFile(path: string): string {
  try {
    // Windows has no such bits.
    if (process.platform !== 'win32' && (statSync(path).mode & OTHERS) !== 0)
      throw usageError(`Other users can read the key file ${path}. Protect it: chmod 600 ${path}`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw usageError(`The key file ${path} cannot be read${systemCode(error)}.`);
  }
}

function toKey(text: string, where: string): `0x${string}` {
  const [, digits] = KEY.exec(text.trim()) ?? [];
  if (digits === undefined)
    throw usageError(`${where} must contain a private key: 64 hex digits, with or without 0x.`);
  return `0x${digits}`;
}
