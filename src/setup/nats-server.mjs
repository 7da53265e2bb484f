import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheDir, intoCache } from './cache.mjs';
import { fromDebian } from './debian.mjs';
import { isAtLeast, log, run, SetUpError, versionOf } from './process.mjs';

/** The first nats-server with `sync_interval`, without which a power cut loses payments. */
const MINIMUM = '2.10';

/** What the tests run with; another one is used, and named. */
const TESTED = '2.15';

/** Its folder in the cache. */
const CACHED = 'nats-server';

/**
 * The first nats-server of the PATH, then of the cache of the set-up, that is new enough.
 *
 * @param {NodeJS.ProcessEnv} [env]
 */
export function findNatsServer(env = process.env) {
  for (const dir of [...foldersOf(env), join(cacheDir(env), CACHED)]) {
    const bin = join(dir, 'nats-server');
    const version = existsSync(bin) && versionOf(bin);
    if (version && isAtLeast(version, MINIMUM)) return { bin, version };
  }
  return undefined;
}

/** @param {NodeJS.ProcessEnv} env */
const foldersOf = (env) => (env.PATH ?? '').split(delimiter).filter(Boolean);

/** The path of a nats-server, downloaded when none is found. */
export async function provideNatsServer() {
  const found = findNatsServer();
  if (found && !found.version.startsWith(`${TESTED}.`))
    log(`using nats-server ${found.version}; the tests run with ${TESTED}`);
  const bin = found?.bin ?? (await download()) ?? (await brew());
  if (bin) return bin;
  throw new SetUpError(
    `No nats-server ${MINIMUM} or newer was found. Install one on the PATH (a package of your ` +
      'system, or `brew install nats-server`), or set NATS_URL to a running one.',
  );
}

function download() {
  log('downloading nats-server from the package archive of this system');
  const wanted = {
    name: 'nats-server',
    program: 'usr/sbin/nats-server',
    accept: (/** @type {string} */ version) => isAtLeast(version, MINIMUM),
  };
  return intoCache(join(CACHED, 'nats-server'), (workDir) => fromDebian(workDir, wanted));
}

async function brew() {
  const brew = foldersOf(process.env)
    .map((dir) => join(dir, 'brew'))
    .find(existsSync);
  if (!brew) return undefined;
  await run(brew, ['install', 'nats-server']).catch(() => {
    throw new SetUpError('`brew install nats-server` failed. Its own message is above.');
  });
  return findNatsServer()?.bin;
}
