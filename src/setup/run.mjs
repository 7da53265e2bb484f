// The launcher behind every npm script: brings what the script needs and then becomes it.
// It runs before anything is installed and on Node.js 20, hence plain JavaScript without packages.
import { delimiter, dirname, join } from 'node:path';
import { projectDir } from './cache.mjs';
import { provideModules } from './modules.mjs';
import { provideNatsServer } from './nats-server.mjs';
import { provideNode } from './node.mjs';
import { become } from './process.mjs';
import { SetUpError, say } from './say.mjs';
import { readSettings } from './settings.mjs';

/**
 * What each script runs, and when it needs a nats-server: `always`, or unless NATS_URL names one.
 * The demo is a world of its own: `.env` is for the service that is run for others.
 *
 * @type {Record<string, { command: string[], nats?: 'always' | 'unless NATS_URL', ignoresFile?: true }>}
 */
const scripts = {
  start: { command: ['src/main.ts'], nats: 'unless NATS_URL' },
  demo: { command: ['test/tools/cli.ts', 'demo'], nats: 'unless NATS_URL', ignoresFile: true },
  bench: { command: ['test/tools/cli.ts', 'bench'], nats: 'always' },
  cluster: { command: ['test/tools/cli.ts', 'cluster'], nats: 'always' },
  replay: { command: ['src/cli.ts', 'replay'], nats: 'unless NATS_URL' },
  doctor: { command: ['src/cli.ts', 'doctor'], nats: 'unless NATS_URL' },
  conformance: { command: ['test/tools/cli.ts', 'conformance'] },
  machines: { command: ['test/tools/cli.ts', 'machines'] },
  mta: { command: ['test/tools/cli.ts', 'mta'], nats: 'always' },
  hostile: { command: ['test/tools/cli.ts', 'hostile'], nats: 'always' },
  fuzz: { command: ['test/tools/cli.ts', 'fuzz'] },
  openapi: { command: ['src/cli.ts', 'openapi'] },
  soak: { command: ['test/tools/cli.ts', 'soak'], nats: 'always' },
  test: { command: ['test/run/test.mjs'], nats: 'always' },
};

/** @param {string[]} args the script's name, then what it is given */
async function main([name = '', ...args]) {
  const script = scripts[name];
  if (!script)
    throw new SetUpError(
      `There is no script "${name}"; there are ${Object.keys(scripts).join(', ')}.`,
    );

  const node = (await provideNode()) ?? process.execPath;
  await provideModules(node);
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
  const settings = script.ignoresFile ? process.env : readSettings();
  if (script.nats === 'always' || (script.nats && !settings.NATS_URL))
    env.NATS_SERVER_BIN = await provideNatsServer(settings);

  const [file = '', ...rest] = script.command;
  return become(node, [join(projectDir, file), ...rest, ...args], env);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SetUpError)) throw error;
  say(error.message);
  process.exitCode = 1;
}
