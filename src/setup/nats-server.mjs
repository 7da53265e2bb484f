import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheDirs, intoCache } from './cache.mjs';
import { fromDebian } from './debian.mjs';
import { run } from './process.mjs';
import { SetUpError, say } from './say.mjs';
import { isAtLeast, versionOf } from './versions.mjs';

/** The first nats-server with `sync_interval`, without which a power cut loses payments. */
const LEAST = '2.10';

/** Its name in the cache. */
const CACHED = join('nats-server', 'nats-server');

/**
 * The nats-server to run: NATS_SERVER_BIN, then the PATH, then the cache of the set-up. One on the
 * PATH that is too old is passed over.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {{ bin: string, version: string }}
 * @throws an error with the remedies when there is none.
 */
export function findNatsServer(env = process.env) {
  const named = env.NATS_SERVER_BIN;
  if (named) {
    const version = versionOf(named);
    if (version && isAtLeast(version, LEAST)) return { bin: named, version };
    const fault = version ? `is version ${version}` : 'cannot be run';
    throw new SetUpError(
      `NATS_SERVER_BIN names ${named}, which ${fault}; nats-server ${LEAST} or newer is needed.`,
    );
  }

  const onPath = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const files = [
    ...onPath.map((dir) => join(dir, 'nats-server')),
    ...cacheDirs(env).map((dir) => join(dir, CACHED)),
  ];
  for (const bin of files) {
    const version = existsSync(bin) && versionOf(bin);
    if (version && isAtLeast(version, LEAST)) return { bin, version };
  }
  throw new SetUpError(
    `No nats-server ${LEAST} or newer was found. Install one so that it is on the PATH ` +
      '(a package of your system, or `brew install nats-server`), or name one with ' +
      'NATS_SERVER_BIN, or use a running one with NATS_URL.',
  );
}

/**
 * The path of a nats-server, downloaded if need be.
 *
 * @param {NodeJS.ProcessEnv} [env]
 */
export async function provideNatsServer(env = process.env) {
  try {
    return findNatsServer(env).bin;
  } catch (error) {
    if (env.NATS_SERVER_BIN) throw error;
    say('getting nats-server from the package archive of this system');
    const bin = (await intoCache(CACHED, debianPackage)) ?? (await fromBrew(env));
    if (!bin) throw error;
    return bin;
  }
}

/** @param {string} workDir */
const debianPackage = (workDir) =>
  fromDebian(workDir, {
    name: 'nats-server',
    program: 'usr/sbin/nats-server',
    accept: (version) => isAtLeast(version, LEAST),
  });

/** @param {NodeJS.ProcessEnv} env */
async function fromBrew(env) {
  const dir = (env.PATH ?? '').split(delimiter).find((one) => one && existsSync(join(one, 'brew')));
  if (!dir) return undefined;
  await run(join(dir, 'brew'), ['install', 'nats-server']).catch(() => {
    throw new SetUpError('`brew install nats-server` failed; its own words are above.');
  });
  return findNatsServer(env).bin;
}
