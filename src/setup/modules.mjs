import { mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { projectDir } from './cache.mjs';
import { npm } from './npm.mjs';
import { log, SetUpError } from './output.mjs';

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
  await withLock(join(projectDir, '.cache', 'npm-ci.lock'), async () => {
    if (isUpToDate(withDev)) return;
    const all = withDev || hasDev(readInstalled());
    log(
      `installing the packages of package-lock.json${all ? '' : ' that run the service'}: once, in a minute or two`,
    );
    const args = ['ci', '--ignore-scripts', all ? '--include=dev' : '--omit=dev'];
    await npm(args, projectDir).catch(() => {
      throw new SetUpError('`npm ci` failed. Its own message is above.');
    });
  });
}

const readInstalled = () => readJson('node_modules/.package-lock.json');

/** @param {Lock | undefined} installed */
const hasDev = (installed) => Object.values(installed?.packages ?? {}).some(({ dev }) => dev);

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
 * Does some work while no other process does it in this folder: `npm ci` begins with removing what
 * another one has just installed. The lock is a link that names its holder: made in one step, and never half there.
 *
 * @param {string} lock
 * @param {() => Promise<void>} work
 */
async function withLock(lock, work) {
  mkdirSync(dirname(lock), { recursive: true });
  for (let logged = false; !acquire(lock); await sleep(POLL_MS)) {
    if (isLeft(lock)) rmSync(lock, { force: true });
    else if (!logged) {
      log(`waiting for another set-up to finish (lock file ${lock})`);
      logged = true;
    }
  }
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** @param {string} lock */
function acquire(lock) {
  try {
    symlinkSync(`${process.pid}`, lock);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Whether its holder is gone. @param {string} lock */
function isLeft(lock) {
  try {
    const pid = Number(readlinkSync(lock));
    // In a container our own pid may be that of an earlier set-up.
    if (pid !== process.pid) process.kill(pid, 0);
    return pid === process.pid;
  } catch (error) {
    return codeOf(error) !== 'EPERM';
  }
}

/** @param {unknown} error */
const codeOf = (error) => /** @type {NodeJS.ErrnoException} */ (error).code;
