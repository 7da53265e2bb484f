import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { homeIsWritable, projectDir } from './cache.mjs';
import { SetUpError } from './output.mjs';
import { run } from './process.mjs';

/**
 * The JavaScript file of npm: the one that called us, else the one on the PATH, else the one that
 * came with this Node.js. Another package manager's path is of no use here.
 *
 * @param {NodeJS.ProcessEnv} [env]
 */
export function npmCli(env = process.env) {
  const onPath = (env.PATH ?? '').split(delimiter).filter(Boolean);
  const files = [
    env.npm_execpath,
    ...onPath.map((dir) => join(dir, 'npm')),
    join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ];
  for (const file of files) {
    if (!file || !existsSync(file)) continue;
    const real = realpathSync(file);
    if (real.endsWith('npm-cli.js')) return real;
  }
  throw new SetUpError('npm was not found. Install npm, then run this again.');
}

/**
 * Runs npm; what it prints goes to stderr.
 *
 * @param {string[]} args
 * @param {{ node?: string, cwd: string }} options `node`: the Node.js that runs npm and the
 *   packages' scripts
 */
export function npm(args, { node = process.execPath, cwd }) {
  const path = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  // Named here: `npm run -s` also silences this npm, and with it the reason of a failure.
  const quiet = ['--loglevel=error', '--no-audit', '--no-fund', '--no-update-notifier'];
  const cache = homeIsWritable() ? [] : ['--cache', join(projectDir, '.cache', 'npm')];
  return run(node, [npmCli(), ...args, ...quiet, ...cache], {
    cwd,
    env: { ...process.env, PATH: path },
  });
}
