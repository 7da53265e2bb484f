import { mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ownCacheDir, projectDir } from './cache.mjs';
import { npmCi } from './node.mjs';
import { log, SetUpError } from './process.mjs';

/** How often the end of another process's installation is checked for, in milliseconds. */
const POLL_MS = 200;

/**
 * @typedef {{ version?: string, optional?: boolean, devOptional?: boolean, dev?: boolean }} Package
 * @typedef {{ packages?: Record<string, Package> }} Lock
 */

/**
 * Whether npm's record of what it installed matches the lock file. Optional packages may be missing:
 * most are for other platforms.
 *
 * @param {Lock | undefined} wanted package-lock.json
 * @param {Lock | undefined} installed node_modules/.package-lock.json, which npm writes last
 * @param {boolean} withDev development packages have to be there too
 */
export function isInstalled(wanted, installed, withDev) {
  if (!installed?.packages) return false;
  for (const [path, one] of Object.entries(wanted?.packages ?? {})) {
    if (path === '') continue;
    const found = installed.packages[path];
    const mayMiss = one.optional || one.devOptional || (one.dev && !withDev);
    if (found ? found.version !== one.version : !mayMiss) return false;
  }
  return true;
}

/**
 * The packages of the lock file, where they are not installed yet. To run the service takes a quarter of
 * them; who has the others keeps them.
 *
 * @param {boolean} withDev development packages as well
 */
export async function provideModules(withDev) {
  if (isUpToDate(withDev)) return;
  const unlock = await lock();
  try {
    if (isUpToDate(withDev)) return;
    const there = Object.values(readInstalled()?.packages ?? {});
    const all = withDev || there.some(({ dev }) => dev);
    const which = all ? '' : ' that run the service';
    log(`installing the packages of package-lock.json${which}: once, in a minute or two`);
    await npmCi(projectDir, [all ? '--include=dev' : '--omit=dev']).catch(() => {
      throw new SetUpError('`npm ci` failed. Its own message is above.');
    });
  } finally {
    unlock();
  }
}

const readInstalled = () => readJson('node_modules/.package-lock.json');

/** @param {boolean} withDev */
const isUpToDate = (withDev) =>
  isInstalled(readJson('package-lock.json'), readInstalled(), withDev);

/**
 * @param {string} name
 * @returns {Lock | undefined}
 */
function readJson(name) {
  try {
    return JSON.parse(readFileSync(join(projectDir, name), 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Waits until no other process installs here: `npm ci` begins with removing what another one has just
 * installed. The lock is a link that names its holder: made in one step, and never half there.
 */
async function lock() {
  const path = join(ownCacheDir, 'npm-ci.lock');
  mkdirSync(ownCacheDir, { recursive: true });
  for (let isWaiting = false; ; isWaiting = true) {
    try {
      symlinkSync(`${process.pid}`, path);
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
    if (isLeft(path)) rmSync(path, { force: true });
    else if (!isWaiting) log(`waiting for another set-up to finish (lock file ${path})`);
    await sleep(POLL_MS);
  }
}

/** Whether its holder is gone. @param {string} path */
function isLeft(path) {
  try {
    const pid = Number(readlinkSync(path));
    // In a container our own pid may be that of an earlier set-up.
    return pid === process.pid || !process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== 'EPERM';
  }
}

/** @param {unknown} error */
const codeOf = (error) => /** @type {NodeJS.ErrnoException} */ (error).code;
