// Behind every npm script: installs what the script needs, then runs it.
// This runs before anything is installed and on Node.js 20, hence plain JavaScript without packages.
import { delimiter, dirname, join } from 'node:path';
import { projectDir } from './cache.mjs';
import { provideModules } from './modules.mjs';
import { provideNatsServer } from './nats-server.mjs';
import { provideNode } from './node.mjs';
import { log, SetUpError } from './output.mjs';
import { runInPlace } from './process.mjs';
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
async function run(scripts, withDev, [name = '', ...args]) {
  const script = scripts[name];
  if (!script)
    throw new SetUpError(`There is no script "${name}". \`npm run help\` lists all of them.`);

  const node = (await provideNode()) ?? process.execPath;
  await provideModules(node, withDev);
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
  const settings = script.ignoresFile ? process.env : readSettings();
  if (script.nats === 'always' || (script.nats && !settings.NATS_URL))
    env.NATS_SERVER_BIN = await provideNatsServer(settings);

  const { file, args: first = [], nodeOptions = [] } = script;
  return runInPlace(node, [...nodeOptions, join(projectDir, file), ...first, ...args], env);
}
