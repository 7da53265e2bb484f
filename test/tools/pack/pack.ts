import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { GATES } from '../../../src/command/findings.ts';
import { COMMAND_VERSION } from '../../../src/command/identity.ts';
import { leaveOut } from './left-out.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Cases between two lines of progress. */
const PROGRESS = 50;

/** Oldest Node.js that runs the command. */
const OLDEST_NODE = '20';

/** Where the package is made: a folder that git ignores. */
export const PACKAGE_DIR = join(root, 'dist', 'deliverability');

const FILE = 'deliverability.js';

const common: BuildOptions = {
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: `node${OLDEST_NODE}`,
  legalComments: 'none',
  logLevel: 'warning',
  write: false,
};

async function bundle(entry: string, plugins: Plugin[]): Promise<string> {
  const entryPoints = [join(root, 'src/command', entry)];
  const { outputFiles } = await build({ ...common, entryPoints, plugins });
  return outputFiles?.[0]?.text ?? '';
}

/** What is parsed only when it is called: parsing all takes longer than starting Node.js. */
const PART = /^\.\/parts\/(\w+)\.ts$/;

const asParts = (names: Set<string>): Plugin => ({
  name: 'as parts',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: PART }, ({ path }) => ({ path, namespace: 'part' }));
    onLoad({ filter: PART, namespace: 'part' }, ({ path }) => {
      const [, name = ''] = PART.exec(path) ?? [];
      names.add(name);
      return { contents: `module.exports = loadPart(${JSON.stringify(name)});` };
    });
  },
});

/** The ids of all findings as values: those who ask for no more carry none of the checks. */
const findingsAsData: Plugin = {
  name: 'findings as data',
  setup({ onLoad }) {
    const contents = `export const GATES = new Map(${JSON.stringify([...GATES])});`;
    onLoad({ filter: /\/command\/findings\.ts$/ }, () => ({ contents }));
  },
};

const LOADER = `function loadPart(name) {
  const { Script } = require('node:vm');
  const own = { exports: {} };
  const code = '(function (module, exports, require) {' + PARTS[name] + '\\n})';
  new Script(code, { filename: __filename + '#' + name }).runInThisContext()(own, own.exports, require);
  return own.exports;
}`;

/** One file of JavaScript: what every command needs, and each command as text until it is called. */
async function bundleCommand(): Promise<string> {
  const names = new Set<string>();
  const main = await bundle('main.ts', [asParts(names)]);
  const parts: Record<string, string> = {};
  for (const name of names)
    parts[name] = await bundle(`parts/${name}.ts`, [findingsAsData, leaveOut(root)]);
  return `#!/usr/bin/env node\nconst PARTS = ${JSON.stringify(parts)};\n${LOADER}\n${main}`;
}

/** Makes the package of the command: one file of JavaScript, its README and the licence. */
export async function packCommand(folder = PACKAGE_DIR): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, FILE);
  writeFileSync(file, await bundleCommand());
  chmodSync(file, 0o755);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  copyFileSync(join(root, 'docs/command.md'), join(folder, 'README.md'));
  return file;
}

const manifest = () => {
  const { license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    name: 'deliverability',
    version: COMMAND_VERSION,
    description:
      'Tests how well your mail is delivered: SPF, DKIM, DMARC and 90 more checks, in a terminal, a pipeline or an agent.',
    license,
    type: 'commonjs',
    bin: { deliverability: FILE },
    engines: { node: `>=${OLDEST_NODE}` },
    files: [FILE],
  };
};

/** `npm run pack [-- --compare [--area AREA]… NODE…]`: 1 when a Node.js finds in a whole case what the service does not. */
export async function runPack(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      compare: { type: 'boolean', default: false },
      area: { type: 'string', multiple: true, default: [] },
    },
    allowPositionals: true,
  });
  const file = await packCommand();
  console.log(`${file}: ${Math.round(readFileSync(file).length / 1024)} KiB`);
  if (!values.compare) return 0;
  const nodes = positionals.length > 0 ? positionals : [process.execPath];
  const { compareWithService } = await import('./compare.ts');
  let cases = 0;
  const differences = await compareWithService(file, { nodes, areas: values.area }, (found) => {
    for (const one of found) console.log(one);
    if (++cases % PROGRESS === 0) console.error(`${cases} whole cases`);
  });
  console.log(`${cases} whole cases on ${nodes.length} Node.js: ${differences} differences`);
  return differences > 0 ? 1 : 0;
}
