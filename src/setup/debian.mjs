import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './process.mjs';
import { versionOf } from './versions.mjs';

/** Suites that may have a newer package than the machine's own, the newest first. */
const families = /** @type {const} */ ([
  { id: 'debian', component: 'main', suites: ['sid', 'trixie'] },
  { id: 'ubuntu', component: 'universe', suites: ['devel', 'noble'] },
]);

/** Longest time for one call of apt-get, in milliseconds. */
const APT_MS = 120_000;

/**
 * Which archive this system takes its packages from; `undefined` where it is not Debian's or Ubuntu's.
 *
 * @param {string} osRelease the text of os-release(5)
 */
export function familyOf(osRelease) {
  const values = new Map(
    [...osRelease.matchAll(/^(\w+)="?([^"\n]*)"?$/gm)].map(([, name, value]) => [name, value]),
  );
  const ids = [values.get('ID'), ...(values.get('ID_LIKE') ?? '').split(' ')];
  const family = ids.flatMap((id) => families.filter((one) => one.id === id))[0];
  const codename = values.get('UBUNTU_CODENAME') ?? values.get('VERSION_CODENAME') ?? '';
  return family && { ...family, codename };
}

/**
 * The base addresses that may be the system's main archive, the most likely first: a machine also
 * has others, such as security updates and third parties.
 *
 * @param {string} targets lines of "release component base-address", from `apt-get indextargets`
 * @param {{ id: string, codename: string }} family
 */
export function archivesOf(targets, { id, codename }) {
  const rank = new Map();
  for (const line of targets.split('\n')) {
    const [release, component, base] = line.trim().split(/\s+/);
    if (!base || component !== 'main') continue;
    const points =
      Number(release === codename) + Number(new RegExp(`/${id}(-ports)?/?$`).test(base));
    rank.set(base, Math.max(points, rank.get(base) ?? 0));
  }
  return [...rank].sort(([, a], [, b]) => b - a).map(([base]) => base);
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
  const family = existsSync('/etc/os-release') && familyOf(readFileSync('/etc/os-release', 'utf8'));
  if (!family) return undefined;

  for (const base of archivesOf(readTargets(), family).slice(0, 2))
    for (const suite of family.suites) {
      const dir = join(workDir, suite);
      try {
        await download(dir, `${base} ${suite} ${family.component}`, family.id, name);
      } catch {
        // apt-get has printed why. An older suite, or another archive, may have it.
        continue;
      }
      // A program of a newer suite may ask for a newer C library than this system has.
      const found = join(dir, 'root', program);
      const version = versionOf(found);
      if (version && accept(version)) return found;
    }
  return undefined;
}

function readTargets() {
  // Works before the first `apt-get update` of a fresh container too.
  const format = '$(RELEASE) $(COMPONENT) $(REPO_URI)';
  const args = ['indextargets', '--no-release-info', '--format', format, 'Identifier: Packages'];
  try {
    return execFileSync('apt-get', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}

/**
 * @param {string} dir
 * @param {string} source base address, suite and component
 * @param {string} id
 * @param {string} name
 */
async function download(dir, source, id, name) {
  for (const one of ['lists/partial', 'cache/archives/partial', 'etc', 'root'])
    mkdirSync(join(dir, one), { recursive: true });
  const keyring = `/usr/share/keyrings/${id}-archive-keyring.gpg`;
  const signed = existsSync(keyring) ? `[signed-by=${keyring}] ` : '';
  const list = join(dir, 'etc', 'sources.list');
  writeFileSync(list, `deb ${signed}${source}\n`);

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
    'Acquire::https::Timeout': '20',
    // As root apt-get would hand over to a user who cannot enter these folders.
    'APT::Sandbox::User': 'root',
  };
  const options = Object.entries(settings).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
  await run('apt-get', ['-qq', ...options, 'update'], { timeoutMs: APT_MS });
  await run('apt-get', ['-qq', ...options, 'download', name], { cwd: dir, timeoutMs: APT_MS });
  const file = readdirSync(dir).find((one) => one.endsWith('.deb')) ?? '';
  await run('dpkg-deb', ['-x', join(dir, file), join(dir, 'root')]);
}
