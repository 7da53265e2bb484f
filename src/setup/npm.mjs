import { join } from 'node:path';
import { homeIsWritable, projectDir } from './cache.mjs';
import { run } from './process.mjs';

/**
 * Runs npm, the one that called us or the one on the PATH; what it prints goes to stderr.
 *
 * @param {string[]} args
 * @param {string} cwd
 */
export function npm(args, cwd) {
  const caller = process.env.npm_execpath ?? '';
  const [program, first] = caller.endsWith('npm-cli.js')
    ? [process.execPath, [caller]]
    : ['npm', []];
  // Named here: `npm run -s` also silences this npm, and with it the reason of a failure.
  const quiet = ['--loglevel=error', '--no-audit', '--no-fund', '--no-update-notifier'];
  const cache = homeIsWritable() ? [] : ['--cache', join(projectDir, '.cache', 'npm')];
  return run(program, [...first, ...args, ...quiet, ...cache], { cwd });
}
