import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirs, intoCache, projectDir } from './cache.mjs';
import { npm } from './npm.mjs';
import { log, SetUpError } from './output.mjs';
import { isAtLeast, versionOf } from './versions.mjs';

/** The first that runs TypeScript as it is, and all packages. */
const MINIMUM = '24';

const INSTALL = `Install Node.js ${MINIMUM} or newer, then run this again.`;

/** A package of Node.js itself for each machine that the registry has one for, with its hash. */
const folder = join(projectDir, 'src', 'setup', 'node');

/** @type {{ packages: Record<string, { version?: string } | undefined> }} */
const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));

/**
 * The package of the Node.js to use; `undefined`: the running one will do.
 *
 * @param {{ version: string, platform: string, arch: string }} running
 * @throws when the running one is too old and this machine has no package.
 */
export function choosePackage({ version, platform, arch }) {
  if (isAtLeast(version, MINIMUM)) return undefined;
  const name = `node-${platform}-${arch}`;
  const wanted = lock.packages[`node_modules/${name}`]?.version;
  if (wanted) return { name, wanted };
  throw new SetUpError(`This is Node.js ${version}. ${INSTALL}`);
}

/** The path of a Node.js that can run the service, downloaded when the running one is too old. */
export async function provideNode() {
  const { version, platform, arch, execPath } = process;
  const chosen = choosePackage({ version, platform, arch });
  if (!chosen) return execPath;

  const { name, wanted } = chosen;
  const cached = join(`${name}-${wanted}`, 'node');
  const present = cacheDirs()
    .map((dir) => join(dir, cached))
    .find((file) => existsSync(file));
  if (present) return present;

  log(`this is Node.js ${version}; downloading ${wanted} from the npm registry, once`);
  return intoCache(cached, async (workDir) => {
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(join(folder, file), join(workDir, file));
    await npm(['ci', '--ignore-scripts'], workDir).catch(() => {});
    const program = join(workDir, 'node_modules', name, 'bin', 'node');
    if (versionOf(program)) return program;
    throw new SetUpError(
      `Node.js ${wanted} of the npm registry cannot be downloaded, or does not run here. ${INSTALL}`,
    );
  });
}
