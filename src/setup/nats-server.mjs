/**
 * Finds a nats-server that is new enough, or installs one from the package archive of the system or with
 * Homebrew.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cacheDir, putInPlace } from './cache.mjs';
import { isAtLeast, log, run, SetUpError, versionOf } from './process.mjs';

/** The first version of nats-server with `sync_interval`, without which a power cut loses payments. */
const MINIMUM = '2.10';

/**
 * The version of nats-server that the tests run with. Another version is used too, but a message names it.
 */
const TESTED = '2.15';

/** Name of nats-server's folder in the cache. */
const CACHED = 'nats-server';

/** Time limit for one call of apt-get, in milliseconds. */
const APT_MS = 120_000;

/**
 * Package archives, each with the suites that may contain a newer nats-server, the newest first. A system
 * uses the archive whose key file it has.
 */
const families = [
  { id: 'ubuntu', component: 'universe', suites: ['devel', 'noble'] },
  { id: 'debian', component: 'main', suites: ['sid', 'trixie'] },
].map((family) => ({ ...family, key: `/usr/share/keyrings/${family.id}-archive-keyring.gpg` }));

/**
 * Returns the path of the nats-server in a folder, if there is one that runs and is new enough.
 *
 * @param {string} folder
 */
function natsServerIn(folder) {
  const bin = join(folder, 'nats-server');
  const version = existsSync(bin) && versionOf(bin);
  return version && isAtLeast(version, MINIMUM) ? { bin, version } : undefined;
}

/**
 * Returns the first nats-server that is new enough, from the PATH or otherwise from the setup's cache.
 *
 * @param {NodeJS.ProcessEnv} [env]
 */
export function findNatsServer(env = process.env) {
  for (const folder of [...(env.PATH ?? '').split(delimiter), join(cacheDir(env), CACHED)]) {
    const found = folder && natsServerIn(folder);
    if (found) return found;
  }
  return undefined;
}

/** Returns the path of a nats-server, and installs one first if none is found. */
export async function provideNatsServer() {
  const present = findNatsServer();
  if (present && !present.version.startsWith(`${TESTED}.`))
    log(`using nats-server ${present.version}; the tests run with ${TESTED}`);
  if (present) return present.bin;

  log('downloading nats-server from the package archive of this system');
  await putInPlace(join(cacheDir(), CACHED), cacheDir(), fromDebian);
  // Homebrew itself prints why it fails. If Homebrew is missing, there is nothing to print.
  if (!findNatsServer()) await run('brew', ['install', 'nats-server']).catch(() => {});
  const installed = findNatsServer();
  if (installed) return installed.bin;
  throw new SetUpError(
    `No nats-server ${MINIMUM} or newer was found. Install one on the PATH (a package of your ` +
      'system, or `brew install nats-server`), or set NATS_URL to a running one.',
  );
}

/**
 * Downloads the newest nats-server and unpacks it, without root and without changing the system.
 *
 * @param {string} workDir
 * @returns {Promise<string | undefined>} the folder that contains it; `undefined` if Debian has none
 */
async function fromDebian(workDir) {
  const family = families.find(({ key }) => existsSync(key));
  if (!family) return undefined;
  for (const base of archivesOf(readBases()))
    for (const suite of family.suites) {
      const dir = join(workDir, suite);
      const source = `deb [signed-by=${family.key}] ${base} ${suite} ${family.component}\n`;
      // If this fails, apt-get prints why. An older suite or another archive may still contain a nats-server.
      await download(dir, source).catch(() => {});
      // A nats-server of a newer suite may need a newer C library than this system has.
      const made = join(dir, 'usr', 'sbin');
      if (natsServerIn(made)) return made;
    }
  return undefined;
}

function readBases() {
  // The command also works before the first `apt-get update` in a fresh container.
  const args = ['indextargets', '--no-release-info', '--format', '$(REPO_URI)', 'Component: main'];
  try {
    return execFileSync('apt-get', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}

/**
 * Returns the base addresses that may be the system's main archive, the most likely one first. A machine also
 * uses other archives, such as those of security updates and third parties, which do not contain a
 * nats-server.
 *
 * @param {string} bases one address per line
 */
export function archivesOf(bases) {
  const isMain = (/** @type {string} */ base) =>
    Number(/\/(debian|ubuntu(-ports)?)\/?$/.test(base));
  return [...new Set(bases.match(/\S+/g))].sort((a, b) => isMain(b) - isMain(a));
}

/**
 * @param {string} dir
 * @param {string} source a line in the format of sources.list(5)
 */
async function download(dir, source) {
  for (const one of ['lists/partial', 'archives/partial'])
    mkdirSync(join(dir, one), { recursive: true });
  const list = join(dir, 'sources.list');
  writeFileSync(list, source);

  const settings = [
    `Dir::Etc::SourceList=${list}`,
    'Dir::Etc::SourceParts=/dev/null',
    `Dir::State=${dir}`,
    'Dir::State::Status=/dev/null',
    `Dir::Cache=${dir}`,
    // Packages that are not signed with the archive's key are rejected, even if the system would allow them.
    'Acquire::AllowInsecureRepositories=false',
    'Acquire::AllowDowngradeToInsecureRepositories=false',
    'APT::Get::AllowUnauthenticated=false',
    'Acquire::Languages=none',
    'Acquire::Retries=1',
    'Acquire::http::Timeout=20',
    // As root, apt-get would otherwise switch to a user who cannot enter these folders.
    'APT::Sandbox::User=root',
  ];
  const apt = ['-qq', ...settings.flatMap((setting) => ['-o', setting])];
  await run('apt-get', [...apt, 'update'], { timeout: APT_MS });
  await run('apt-get', [...apt, 'download', 'nats-server'], { cwd: dir, timeout: APT_MS });
  const file = readdirSync(dir).find((name) => name.endsWith('.deb')) ?? '';
  await run('dpkg-deb', ['-x', join(dir, file), dir]);
}
