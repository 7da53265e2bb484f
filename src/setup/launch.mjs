// Behind every npm script: installs what the script needs, then runs it.
// This runs before anything is installed and on Node.js 20, hence plain JavaScript without packages.
import { delimiter, dirname, join } from 'node:path';
import { projectDir } from './cache.mjs';
import { provideModules } from './modules.mjs';
import { provideNatsServer } from './nats-server.mjs';
import { provideNode } from './node.mjs';
import { log, SetUpError } from './output.mjs';
import { runInPlace } from './process.mjs';
import { usageOfGroup } from './scripts.mjs';
import { readSettings } from './settings.mjs';

/**
 * Runs the script that the command line names, and sets the exit code.
 *
 * @param {Record<string, import('./scripts.mjs').Script>} scripts
 * @param {{ withDev?: boolean }} [options] `withDev`: the scripts need the development packages
 */
export async function launch(scripts, { withDev = false } = {}) {
  try {
    process.exitCode = await run(scripts, withDev, process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    log(error.message);
    process.exitCode = 1;
  }
}

/**
 * @param {Record<string, import('./scripts.mjs').Script>} scripts
 * @param {boolean} withDev
 * @param {string[]} args the script's name, then its own arguments
 */
async function run(scripts, withDev, [name = '', ...rest]) {
  const script = scripts[name];
  if (!script)
    throw new SetUpError(`There is no script "${name}". \`npm run help\` lists all of them.`);
  const { command, args, usage } = choose(name, script, rest);
  if (!command) {
    const asked = args.length === 0 || args.includes('--help') || args.includes('-h');
    (asked ? process.stdout : process.stderr).write(usage);
    return asked ? 0 : 2;
  }

  const node = (await provideNode()) ?? process.execPath;
  await provideModules(withDev);
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
  const settings = command.ignoresFile ? process.env : readSettings();
  if (command.nats === 'always' || (command.nats && !settings.NATS_URL))
    env.NATS_SERVER_BIN = await provideNatsServer(settings);

  const { file, args: first = [], nodeOptions = [] } = command;
  return runInPlace(node, [...nodeOptions, join(projectDir, file), ...first, ...args], env);
}

/**
 * The command that the first argument names, where a script has several; none: how to name one.
 *
 * @param {string} name
 * @param {import('./scripts.mjs').Script} script
 * @param {string[]} args
 */
function choose(name, script, args) {
  if (!('commands' in script)) return { command: script, args, usage: '' };
  const { commands, unnamed = '' } = script;
  const [chosen = unnamed, ...rest] = args;
  const usage = usageOfGroup(name, script);
  return Object.hasOwn(commands, chosen)
    ? { command: commands[chosen], args: rest, usage }
    : { args, usage };
}
