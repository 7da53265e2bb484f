/** Makes sure, before anything else, that the folder of DATA_DIR exists and that this user may write there. */

import { access, constants, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { explainFileError } from '../adapters/embedded-nats/start-faults.ts';
import { ConfigError } from '../config/environment.ts';

/**
 * Makes the folder of DATA_DIR, and those above it.
 *
 * @throws ConfigError if it cannot be made, or if this user may not write there
 */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir);
    await access(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const fault = explainFileError(error, dataDir);
    throw fault === undefined ? error : new ConfigError([fault]);
  }
}

/**
 * `mkdir` with `recursive` never returns for a folder that cannot exist, such as /proc/data, and says ENOENT
 * if the disk is read-only (Node.js 24).
 */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path);
  }
}
