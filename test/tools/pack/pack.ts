import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { COMMAND_VERSION } from '../../../src/command/identity.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Oldest Node.js that runs the command. */
const OLDEST_NODE = '20';

/**
 * Tables of character sets, which the library of signatures loads and does not need: what is decoded
 * is decoded by the analysis itself.
 */
const TABLES = /^(?:iconv-lite|encoding-japanese)$/;

const leaveOut: Plugin = {
  name: 'leave out tables',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: TABLES }, ({ path }) => ({ path, namespace: 'left-out' }));
    onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: 'exports.decode = (bytes) => Buffer.from(bytes).toString();',
    }));
  },
};

/** Where the package is made: a folder that git ignores. */
export const PACKAGE_DIR = join(root, 'dist', 'deliverability');

const FILE = 'deliverability.js';

/** Makes the package of the command: one file of JavaScript, its README and the licence. */
export async function packCommand(folder = PACKAGE_DIR): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, FILE);
  await build({
    entryPoints: [join(root, 'src/command/main.ts')],
    outfile: file,
    bundle: true,
    minify: true,
    keepNames: false,
    platform: 'node',
    format: 'cjs',
    target: `node${OLDEST_NODE}`,
    banner: { js: '#!/usr/bin/env node' },
    legalComments: 'none',
    plugins: [leaveOut],
    logLevel: 'warning',
  });
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

/** `npm run pack`. */
export async function runPack(): Promise<number> {
  const file = await packCommand();
  console.log(`${file}: ${Math.round(readFileSync(file).length / 1024)} KiB`);
  return 0;
}
