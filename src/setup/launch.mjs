// Runs every npm script: it first installs what the script needs. This file runs before anything is
// installed, and on Node.js 20, so it is plain JavaScript without packages.
import { readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import * as util from 'node:util';
import { projectDir } from './cache.mjs';
import { provideModules } from './modules.mjs';
import { provideNatsServer } from './nats-server.mjs';
import { provideNode } from './node.mjs';
import { log, runInPlace, SetUpError } from './process.mjs';
import { usageOfGroup } from './scripts.mjs';

/**
 * Runs the script that the command line names. If the script is a group, this runs the command that the first
 * argument names, or prints how to name one. Sets the exit code.
 *
 * @param {Record<string, import('./scripts.mjs').Script>} scripts
 * @param {{ withDev?: boolean }} [options] `withDev`: the scripts need the development packages
 */
export async function launch(scripts, { withDev = false } = {}) {
  const [name = '', ...args] = process.argv.slice(2);
  const script = /** @type {import('./scripts.mjs').Script} */ (scripts[name]);
  try {
    if (!('commands' in script)) {
      process.exitCode = await run(name, script, args, withDev);
      return;
    }
    const [chosen = script.unnamed ?? '', ...rest] = args;
    const command = Object.hasOwn(script.commands, chosen) && script.commands[chosen];
    const isAsked = chosen === '' || args.includes('--help') || args.includes('-h');
    if (command) process.exitCode = await run(chosen, command, rest, withDev);
    else if (isAsked) process.stdout.write(usageOfGroup(name, script));
    else {
      process.stderr.write(`There is no command "${chosen}".\n\n${usageOfGroup(name, script)}`);
      process.exitCode = 2;
    }
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    log(error.message);
    process.exitCode = 1;
  }
}

/**
 * @param {string} name
 * @param {import('./scripts.mjs').Command} command
 * @param {string[]} args
 * @param {boolean} withDev
 */
async function run(
  name,
  { file, args: first = [name], nodeOptions = [], ...needs },
  args,
  withDev,
) {
  const node = await provideNode();
  await provideModules(withDev);
  const settings = needs.ignoresFile ? process.env : readSettings();
  const hasNats = needs.nats === 'always' || (needs.nats && !settings.NATS_URL);
  const programs = hasNats ? [node, await provideNatsServer()] : [node];
  const folders = [...programs.map((program) => dirname(program)), process.env.PATH];
  const env = { ...process.env, PATH: folders.join(delimiter) };
  return runInPlace(node, [...nodeOptions, join(projectDir, file), ...first, ...args], env);
}

/**
 * Returns the environment variables, with those that the `.env` file adds, as the service reads them. The
 * first releases of Node.js 20 cannot read that file. With them, a nats-server is installed even if the file
 * contains NATS_URL.
 *
 * @returns {NodeJS.ProcessEnv}
 */
export function readSettings(file = join(projectDir, '.env')) {
  const isFile = statSync(file, { throwIfNoEntry: false })?.isFile();
  const text = isFile ? readFileSync(file, 'utf8') : '';
  return { ...util.parseEnv?.(text), ...process.env };
}
