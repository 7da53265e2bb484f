import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir, intoCache, ownCacheDir, projectDir } from './cache.mjs';
import { isAtLeast, log, run, SetUpError, versionOf } from './process.mjs';

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
  const chosen = choosePackage(process);
  if (!chosen) return process.execPath;

  const { name, wanted } = chosen;
  const cached = join(`${name}-${wanted}`, 'node');
  const present = join(cacheDir(), cached);
  if (existsSync(present)) return present;

  log(`this is Node.js ${process.version}; downloading ${wanted} from the npm registry, once`);
  return intoCache(cached, async (workDir) => {
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(join(folder, file), join(workDir, file));
    await npmCi(workDir).catch(() => {});
    const program = join(workDir, 'node_modules', name, 'bin', 'node');
    if (versionOf(program)) return program;
    throw new SetUpError(
      `Node.js ${wanted} of the npm registry cannot be downloaded, or does not run here. ${INSTALL}`,
    );
  });
}

/**
 * Installs what a lock file names, by the npm that called us or the one on the PATH; what it prints goes to stderr.
 *
 * @param {string} cwd
 * @param {string[]} [args]
 */
export function npmCi(cwd, args = []) {
  const caller = process.env.npm_execpath ?? '';
  const [program, first] = caller.endsWith('npm-cli.js')
    ? [process.execPath, [caller]]
    : ['npm', []];
  // Named here: `npm run -s` also silences this npm, and with it the reason of a failure.
  const quiet = ['--loglevel=error', '--no-audit', '--no-fund', '--no-update-notifier'];
  const cache = cacheDir() === ownCacheDir ? ['--cache', join(ownCacheDir, 'npm')] : [];
  return run(program, [...first, 'ci', '--ignore-scripts', ...args, ...quiet, ...cache], { cwd });
}
