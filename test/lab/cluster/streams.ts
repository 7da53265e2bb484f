/** Creates the streams of the log with the operator's program. */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, parse } from 'node:path';
import { promisify } from 'node:util';
import { programOf } from '../../environment/compile-cache.ts';

/**
 * Returns the path of the operator's program in this checkout, or in the checkout of a main module. Release
 * 1.0.0 has another name for the program.
 */
function operatorOf(main: string | undefined): string {
  if (main === undefined) return programOf('src/operator.ts');
  // Works for any of its modules.
  const root = main.replace(/(?:test\/environment|src)\/[^/]+$/, '');
  const files = ['src/operator.ts', 'src/cli.ts'].map((name) => join(root, name));
  const file = files.find((one) => existsSync(one));
  if (!file) throw new Error(`There is no program of the operator beside ${main}.`);
  return file;
}

/** Runs `npm run operate -- streams` with these settings, like the one-shot part of docker-compose.yml. */
export async function makeStreams(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[] = [],
  main?: string,
) {
  const program = operatorOf(main);
  const options = { cwd: parse(program).root, env: { ...env } };
  const all = [program, 'streams', ...args];
  const { stdout } = await promisify(execFile)(process.execPath, all, options);
  return stdout.trim().split('\n');
}
