/**
 * Provides a Node.js that can run the service, either the running one or a downloaded one, and has npm
 * install the packages of a lock file.
 */

import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir, ownCacheDir, projectDir, putInPlace } from './cache.mjs';
import { isAtLeast, log, MINIMUM_NODE, run, SetUpError, versionOf } from './process.mjs';

const INSTALL = `Install Node.js ${MINIMUM_NODE} or newer, then run this again.`;

/**
 * The folder whose lock file lists the npm packages of Node.js itself with their hashes, one for each
 * platform for which the registry has one.
 */
const folder = join(projectDir, 'src', 'setup', 'node');

/** @type {{ packages: Record<string, { version?: string } | undefined> }} */
const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));

/**
 * Returns the path of a Node.js that can run the service. One is downloaded if the running one is too old.
 *
 * @param {Pick<NodeJS.Process, 'version' | 'platform' | 'arch' | 'execPath'>} running
 */
export async function provideNode({ version, platform, arch, execPath } = process) {
  if (isAtLeast(version, MINIMUM_NODE)) return execPath;
  const name = `node-${platform}-${arch}`;
  const wanted = lock.packages[`node_modules/${name}`]?.version;
  if (!wanted) throw new SetUpError(`This is Node.js ${version}. ${INSTALL}`);

  const cached = join(cacheDir(), `${name}-${wanted}`);
  const program = join(cached, 'node');
  if (existsSync(program)) return program;

  log(`this is Node.js ${version}; downloading ${wanted} from the npm registry, once`);
  await putInPlace(cached, cacheDir(), async (workDir) => {
    await npmCi(folder, workDir).catch(() => {});
    const made = join(workDir, 'node_modules', name, 'bin');
    if (versionOf(join(made, 'node'))) return made;
    throw new SetUpError(
      `Node.js ${wanted} of the npm registry cannot be downloaded, or does not run here. ${INSTALL}`,
    );
  });
  return program;
}

/**
 * Installs what a lock file names, with the npm that called us or the one on the PATH. Everything that npm
 * prints goes to stderr.
 *
 * @param {string} from the lock file's folder
 * @param {string} to
 * @param {string[]} [args]
 */
export function npmCi(from, to, args = []) {
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    if (existsSync(join(from, file))) copyFileSync(join(from, file), join(to, file));
  const caller = process.env.npm_execpath ?? '';
  const [program, first] = caller.endsWith('npm-cli.js')
    ? [process.execPath, [caller]]
    : ['npm', []];
  // The log level is set here, because `npm run -s` would also silence this npm, and we would not learn why
  // it failed.
  const quiet = ['--loglevel=error', '--no-audit', '--no-fund', '--no-update-notifier'];
  const cache = cacheDir() === ownCacheDir ? ['--cache', join(ownCacheDir, 'npm')] : [];
  return run(program, [...first, 'ci', '--ignore-scripts', ...args, ...quiet, ...cache], {
    cwd: to,
  });
}
