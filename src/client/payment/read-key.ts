/** Reads the private key of the wallet that pays, from a file or from the environment. */

import { readFileSync, statSync } from 'node:fs';
import { CommandError, usageError } from '../exit.ts';
import { systemCode } from '../files.ts';

const KEY = /^(?:0x)?([0-9a-fA-F]{64})$/;

/** Permission bits that give other users of the machine access to a file. */
const OTHERS = 0o007;

/**
 * Returns the private key that pays: from the file of `--key-file` or DELIVERABILITY_KEY_FILE, or from
 * DELIVERABILITY_KEY. The key is never on the command line, because others could see it there. Returns `null`
 * if there is no key.
 *
 * @throws CommandError that contains no byte of what was read
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
    const text = readFileSync(path, 'utf8');
    // Windows has no such permission bits.
    if (process.platform !== 'win32' && (statSync(path).mode & OTHERS) !== 0)
      throw usageError(`Other users can read the key file ${path}. Protect it: chmod 600 ${path}`);
    return text;
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
