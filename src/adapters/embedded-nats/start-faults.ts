/** Says in one sentence why `DATA_DIR` cannot be used, and what to do about it. */

/** The words of the system and of nats-server for a disk without room. */
const FULL = /ENOSPC|EDQUOT|no space left on device|disk quota exceeded/;

/** The last line of a nats-server that may not use its store. */
const NO_ACCESS =
  /\[FTL\] (.*(?:permission denied|read-only file system|not a directory|not writable).*)/i;

/** Returns what an error of the file system says about `DATA_DIR`, or `undefined` for any other error. */
export function explainFileError(error: unknown, dataDir: string): string | undefined {
  const { code = '', syscall, path = dataDir } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return undefined;
  return FULL.test(code) ? full(dataDir) : unusable(dataDir, `${code} for ${path}`);
}

/** Returns what the last lines of a nats-server that has ended say about `DATA_DIR`, or `undefined`. */
export function explainServerLog(lines: string, dataDir: string): string | undefined {
  if (FULL.test(lines)) return full(dataDir);
  const line = NO_ACCESS.exec(lines)?.[1];
  return line && unusable(dataDir, line);
}

const full = (dataDir: string) => `The disk of DATA_DIR (${dataDir}) is full: free space there.`;

const unusable = (dataDir: string, why: string) =>
  `DATA_DIR (${dataDir}) cannot be used: ${why}. Set a folder that this user may write; ` +
  'if another user, such as root, ran the service there before, give the folder to this user with chown -R.';

/**
 * Describes a store with streams that the server cannot decrypt.
 *
 * @param hasKey whether the settings name a key
 */
export const wrongKey = (dataDir: string, hasKey: boolean) =>
  `The store in DATA_DIR (${dataDir}) is encrypted${hasKey ? ' with another key' : ''}: ` +
  'set NATS_STORE_KEY_FILE to the file with the key that it was written with. If that is the key, ' +
  'the store is damaged: see "A server that does not start" in docs/operations.md.';
