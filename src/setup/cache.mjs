import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json. */
export const projectDir = fileURLToPath(new URL('../..', import.meta.url));

/** For users without a home folder, such as a build user. */
export const ownCacheDir = join(projectDir, '.cache');

/**
 * The folder for downloaded programs.
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
    mkdirSync(ownCacheDir, { recursive: true });
    return ownCacheDir;
  }
}

/**
 * Makes a program and moves it into the cache under `name`: in one step, so that two set-ups at once
 * never see half a file. The later one replaces the same bytes.
 *
 * @param {string} name relative path in the cache
 * @param {(workDir: string) => Promise<string | undefined>} make resolves to the path of the program
 */
export async function intoCache(name, make) {
  const dir = cacheDir();
  const workDir = mkdtempSync(join(dir, 'new-'));
  try {
    const made = await make(workDir);
    if (!made) return undefined;
    const target = join(dir, name);
    mkdirSync(dirname(target), { recursive: true });
    chmodSync(made, 0o755);
    renameSync(made, target);
    return target;
  } finally {
    rmSync(workDir, { recursive: true, force: true });
  }
}
