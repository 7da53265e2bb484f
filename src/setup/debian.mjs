import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, versionOf } from './process.mjs';

/** Archives by the key that a system has, and suites that may have a newer package, the newest first. */
const families = [
  { id: 'ubuntu', component: 'universe', suites: ['devel', 'noble'] },
  { id: 'debian', component: 'main', suites: ['sid', 'trixie'] },
].map((family) => ({ ...family, key: `/usr/share/keyrings/${family.id}-archive-keyring.gpg` }));

/** Longest time for one call of apt-get, in milliseconds. */
const APT_MS = 120_000;

/**
 * The base addresses that may be the system's main archive, the most likely first: a machine also
 * has others, such as security updates and third parties, which do not hold what is asked for.
 *
 * @param {string} targets lines of "component base-address", from `apt-get indextargets`
 */
export function archivesOf(targets) {
  const bases = [...targets.matchAll(/^ *main +(\S+)$/gm)].map(([, base = '']) => base);
  const isMain = (/** @type {string} */ base) =>
    Number(/\/(debian|ubuntu(-ports)?)\/?$/.test(base));
  return [...new Set(bases)].sort((a, b) => isMain(b) - isMain(a));
}

/**
 * Downloads the newest version of a package and unpacks it, without root and without changing the
 * system: apt-get works in folders of our own.
 *
 * @param {string} workDir
 * @param {{ name: string, program: string, accept: (version: string) => boolean }} wanted `program`:
 *   its path in the package
 * @returns {Promise<string | undefined>} the program's path; `undefined` when Debian has no such package
 */
export async function fromDebian(workDir, { name, program, accept }) {
  const family = families.find(({ key }) => existsSync(key));
  if (!family) return undefined;

  for (const base of archivesOf(readTargets()))
    for (const suite of family.suites) {
      const dir = join(workDir, suite);
      const source = `deb [signed-by=${family.key}] ${base} ${suite} ${family.component}\n`;
      // apt-get prints why. An older suite, or another archive, may have it.
      await download(dir, source, name).catch(() => {});
      // A program of a newer suite may ask for a newer C library than this system has.
      const found = join(dir, 'root', program);
      const version = versionOf(found);
      if (version && accept(version)) return found;
    }
  return undefined;
}

function readTargets() {
  // Works before the first `apt-get update` of a fresh container too.
  const format = '$(COMPONENT) $(REPO_URI)';
  const args = ['indextargets', '--no-release-info', '--format', format, 'Identifier: Packages'];
  try {
    return execFileSync('apt-get', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}

/**
 * @param {string} dir
 * @param {string} source a line of sources.list(5)
 * @param {string} name
 */
async function download(dir, source, name) {
  for (const one of ['lists/partial', 'cache/archives/partial', 'root'])
    mkdirSync(join(dir, one), { recursive: true });
  const list = join(dir, 'sources.list');
  writeFileSync(list, source);

  const settings = {
    'Dir::Etc::SourceList': list,
    'Dir::Etc::SourceParts': '/dev/null',
    'Dir::State': dir,
    'Dir::State::Lists': join(dir, 'lists'),
    'Dir::State::Status': '/dev/null',
    'Dir::Cache': join(dir, 'cache'),
    // What is not signed by the archive's key is not taken, whatever the system allows.
    'Acquire::AllowInsecureRepositories': 'false',
    'Acquire::AllowDowngradeToInsecureRepositories': 'false',
    'APT::Get::AllowUnauthenticated': 'false',
    'Acquire::Languages': 'none',
    'Acquire::Retries': '1',
    'Acquire::http::Timeout': '20',
    // As root apt-get would hand over to a user who cannot enter these folders.
    'APT::Sandbox::User': 'root',
  };
  const options = Object.entries(settings).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
  await run('apt-get', ['-qq', ...options, 'update'], { timeout: APT_MS });
  await run('apt-get', ['-qq', ...options, 'download', name], { cwd: dir, timeout: APT_MS });
  const file = readdirSync(dir).find((one) => one.endsWith('.deb')) ?? '';
  await run('dpkg-deb', ['-x', join(dir, file), join(dir, 'root')]);
}
