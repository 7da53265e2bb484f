import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheDirs } from './cache.mjs';
import { SetUpError } from './say.mjs';
import { isAtLeast } from './versions.mjs';

/** The first nats-server with `sync_interval`, without which a power cut loses payments. */
const LEAST = '2.10';

/** Its name in the cache. */
export const CACHED = join('nats-server', 'nats-server');

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
 * What a program says to `--version`; `undefined` when it cannot be run here.
 *
 * @param {string} bin
 */
export function versionOf(bin) {
  try {
    const said = execFileSync(bin, ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 10_000,
    });
    return /v(\d+\.\d+\.\d+)/.exec(said)?.[1];
  } catch {
    return undefined;
  }
}
