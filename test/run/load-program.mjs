/** Loads a bundled program with compiled code that an earlier process has kept. */

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants, Script } from 'node:vm';
import { threadId } from 'node:worker_threads';

/** Time in milliseconds after which a service has done most of what it can do. */
const WARM_MS = 4000;

/**
 * Runs a program of `programs.ts` with the functions that an earlier process of it has compiled. Node's own
 * cache contains what runs while a file is loaded, not what is called later, which is most of a service.
 *
 * @param {string} path
 * @param {string} compiled where the compiled code is kept
 */
export function loadProgram(path, compiled) {
  const cachedData = read(compiled);
  const { USE_MAIN_CONTEXT_DEFAULT_LOADER: importModuleDynamically } = constants;
  const options = { filename: path, cachedData, importModuleDynamically };
  const script = new Script(readFileSync(path, 'utf8'), options);
  if (!cachedData || script.cachedDataRejected)
    setTimeout(() => write(compiled, script.createCachedData()), WARM_MS).unref();
  script.runInThisContext()(createRequire(path), import.meta.resolve);
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Writes a file completely or not at all. If the compiled code cannot be kept, it is made again.
 *
 * @param {string} path
 * @param {Buffer} data
 */
function write(path, data) {
  const own = `${path}.${process.pid}.${threadId}`;
  try {
    writeFileSync(own, data);
    renameSync(own, path);
  } catch {
    rmSync(own, { force: true });
  }
}
