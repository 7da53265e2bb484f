/**
 * Finds the cache folder for downloaded programs, and installs programs there without leaving anything
 * incomplete.
 */

import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Age in milliseconds from which a work folder is considered left behind by a setup that was killed. */
const LEFT_MS = 3_600_000;

/** The folder that contains package.json. */
export const projectDir = fileURLToPath(new URL('../..', import.meta.url));

/**
 * The cache folder for the packages. It is also used for users without a home folder, such as a build user.
 */
export const ownCacheDir = join(projectDir, '.cache');

/**
 * Returns the cache folder for downloaded programs.
 *
 * @param {NodeJS.ProcessEnv} [env]
 */
export function cacheDir(env = process.env) {
  const home = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache');
  const dir = join(home, 'email-deliverability-test');
  try {
    mkdirSync(dir, { recursive: true });
    accessSync(dir, constants.W_OK);
    return dir;
  } catch {
    return ownCacheDir;
  }
}

/**
 * Makes a folder and moves it into place once it is complete, so that nothing incomplete is left behind if
 * two setups run at once or if one is killed.
 *
 * @param {string} target
 * @param {string} cache a folder beside the target, on the same disk
 * @param {(workDir: string) => Promise<string | undefined>} make resolves to the new folder, or to nothing if
 * none is needed
 */
export async function putInPlace(target, cache, make) {
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    const { mtimeMs = Infinity } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (name.startsWith('new-') && mtimeMs < Date.now() - LEFT_MS)
      rmSync(path, { recursive: true, force: true });
  }
  const workDir = mkdtempSync(join(cache, 'new-'));
  try {
    const made = await make(workDir);
    for (let tries = 9; made; tries--)
      try {
        // A folder cannot be replaced in one step.
        if (existsSync(target)) renameSync(target, mkdtempSync(join(workDir, 'old-')));
        return renameSync(made, target);
      } catch (error) {
        // Another setup is replacing the same folder at this moment.
        if (tries === 0) throw error;
      }
  } finally {
    rmSync(workDir, { recursive: true, force: true });
  }
}
