/** Checks whether npm has installed the packages of the lock file, and has npm install the missing ones. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownCacheDir, projectDir, putInPlace } from './cache.mjs';
import { npmCi } from './node.mjs';
import { log, SetUpError } from './process.mjs';

/** @typedef {Record<string, { version?: string, optional?: boolean, devOptional?: boolean, dev?: boolean }>} Packages */

/**
 * Returns whether npm's record of what it installed matches the lock file. Optional packages may be missing,
 * because most are for other platforms.
 *
 * @param {Packages} wanted of package-lock.json
 * @param {Packages} installed of node_modules/.package-lock.json, which npm writes last
 * @param {boolean} withDev whether development packages have to be installed too
 */
export const isInstalled = ({ '': _, ...wanted }, installed, withDev) =>
  Object.entries(wanted).every(([path, { version, optional, devOptional, dev }]) => {
    const found = installed[path];
    return found ? found.version === version : optional || devOptional || (dev && !withDev);
  });

/**
 * Installs the packages of the lock file if they are not installed yet. Running the service needs only a
 * quarter of them. If the development packages are already installed, they are kept.
 *
 * @param {boolean} withDev whether to install development packages as well
 */
export async function provideModules(withDev) {
  const wanted = readPackages('package-lock.json');
  const readInstalled = () => readPackages('node_modules/.package-lock.json');
  const isDone = () => isInstalled(wanted, readInstalled(), withDev);
  if (isDone()) return;

  const all = withDev || Object.values(readInstalled()).some(({ dev }) => dev);
  const which = all ? '' : ' that run the service';
  log(`installing the packages of package-lock.json${which}: once, in a minute or two`);
  await putInPlace(join(projectDir, 'node_modules'), ownCacheDir, async (workDir) => {
    await npmCi(projectDir, workDir, [all ? '--include=dev' : '--omit=dev']).catch(() => {
      throw new SetUpError('`npm ci` failed. Its own message is above.');
    });
    // If another setup has installed everything in the meantime, its folder is already in use and is kept.
    return isDone() ? undefined : join(workDir, 'node_modules');
  });
}

/**
 * @param {string} name the path of a lock file
 * @returns {Packages}
 */
function readPackages(name) {
  try {
    return JSON.parse(readFileSync(join(projectDir, name), 'utf8')).packages;
  } catch {
    return {};
  }
}
