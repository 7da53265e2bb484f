import { randomUUID } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SetUpError } from './say.mjs';

/** No set-up takes this long, in milliseconds. */
const LEFTOVER_MS = 3_600_000;

/** The folder that holds package.json. */
export const projectDir = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Where downloaded programs may lie, the best place first. The last is for those without a home,
 * such as a build user.
 *
 * @param {NodeJS.ProcessEnv} [env]
 */
export function cacheDirs(env = process.env) {
  const home = env.XDG_CACHE_HOME || join(env.HOME || homedir(), '.cache');
  return [join(home, 'email-deliverability-test'), join(projectDir, '.cache')];
}

/** Whether programs keep their files where they are used to. */
export const homeIsWritable = () => isWritable(cacheDirs()[0] ?? '');

/** @param {string} dir */
function isWritable(dir) {
  try {
    mkdirSync(dir, { recursive: true });
    accessSync(dir, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes a program and puts it into the cache under `name`. In one step, so that two set-ups at once
 * never see half a file; the later one replaces the same bytes.
 *
 * @param {string} name relative path in the cache
 * @param {(workDir: string) => Promise<string | undefined>} make gives back the path of the program
 */
export async function intoCache(name, make) {
  const dirs = cacheDirs();
  const cacheDir = dirs.find(isWritable);
  if (!cacheDir)
    throw new SetUpError(
      `Nothing can be stored in ${dirs.join(' or ')}: make one of them writable.`,
    );
  removeLeftovers(cacheDir);
  const workDir = join(cacheDir, `new-${randomUUID()}`);
  mkdirSync(workDir);
  try {
    const made = await make(workDir);
    if (!made) return undefined;
    const target = join(cacheDir, name);
    mkdirSync(dirname(target), { recursive: true });
    chmodSync(made, 0o755);
    renameSync(made, target);
    return target;
  } finally {
    rmSync(workDir, { recursive: true, force: true });
  }
}

/**
 * What set-ups that were interrupted left behind.
 *
 * @param {string} cacheDir
 */
function removeLeftovers(cacheDir) {
  for (const name of readdirSync(cacheDir)) {
    const path = join(cacheDir, name);
    // Another set-up may be removing its own at this moment.
    const made = name.startsWith('new-') && statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (made && Date.now() - made > LEFTOVER_MS) rmSync(path, { recursive: true, force: true });
  }
}
