import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheDir, intoCache } from './cache.mjs';
import { fromDebian } from './debian.mjs';
import { isAtLeast, log, run, SetUpError, versionOf } from './process.mjs';

/** The first nats-server with `sync_interval`, without which a power cut loses payments. */
const MINIMUM = '2.10';

/** What the tests run with; another one is used, and named. */
const TESTED = '2.15';

/** Its name in the cache. */
const CACHED = join('nats-server', 'nats-server');

/**
 * The nats-server to run: NATS_SERVER_BIN, then the PATH, then the cache of the set-up. One on the
 * PATH that is too old is skipped.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {{ bin: string, version: string }}
 * @throws a SetUpError that says what to do when no server can be had
 */
export function findNatsServer(env = process.env) {
  const named = env.NATS_SERVER_BIN;
  const files = named ? [named] : foldersOf(env).map((dir) => join(dir, 'nats-server'));
  const server =
    files.map(usable).find(Boolean) ?? (named ? undefined : usable(join(cacheDir(env), CACHED)));
  if (server) return server;
  if (!named)
    throw new SetUpError(
      `No nats-server ${MINIMUM} or newer was found. Install one on the PATH (a package of your ` +
        'system, or `brew install nats-server`), set NATS_SERVER_BIN to one, or set NATS_URL to ' +
        'a running one.',
    );
  const version = versionOf(named);
  const fault = version ? `is version ${version}` : 'cannot be run here';
  throw new SetUpError(
    `NATS_SERVER_BIN names ${named}, which ${fault}. Name a nats-server ${MINIMUM} or newer.`,
  );
}

/** @param {string} bin */
function usable(bin) {
  const version = existsSync(bin) && versionOf(bin);
  return version && isAtLeast(version, MINIMUM) ? { bin, version } : undefined;
}

/** @param {NodeJS.ProcessEnv} env */
const foldersOf = (env) => (env.PATH ?? '').split(delimiter).filter(Boolean);

/**
 * The path of a nats-server, downloaded when none is found.
 *
 * @param {NodeJS.ProcessEnv} [env]
 */
export async function provideNatsServer(env = process.env) {
  try {
    const { bin, version } = findNatsServer(env);
    if (!version.startsWith(`${TESTED}.`))
      log(`using nats-server ${version}; the tests run with ${TESTED}`);
    return bin;
  } catch (error) {
    if (env.NATS_SERVER_BIN) throw error;
    log('downloading nats-server from the package archive of this system');
    const wanted = {
      name: 'nats-server',
      program: 'usr/sbin/nats-server',
      accept: (/** @type {string} */ version) => isAtLeast(version, MINIMUM),
    };
    const bin = await intoCache(CACHED, (workDir) => fromDebian(workDir, wanted));
    if (bin) return bin;
    const brew = foldersOf(env)
      .map((dir) => join(dir, 'brew'))
      .find(existsSync);
    if (!brew) throw error;
    await run(brew, ['install', 'nats-server']).catch(() => {
      throw new SetUpError('`brew install nats-server` failed. Its own message is above.');
    });
    return findNatsServer(env).bin;
  }
}
