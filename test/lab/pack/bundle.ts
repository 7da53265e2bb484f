/** Bundles the command and the library with esbuild. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { GATES } from '../../../src/client/findings.ts';
import { leaveOut } from './left-out.ts';

/** Oldest Node.js that runs the package. */
export const OLDEST_NODE = '20';

/** The ids of all findings as values, so that code which needs no more contains none of the checks. */
const findingsAsData: Plugin = {
  name: 'findings as data',
  setup({ onLoad }) {
    const contents = `export const GATES = new Map(${JSON.stringify([...GATES])});`;
    onLoad({ filter: /\/client\/findings\.ts$/ }, () => ({ contents }));
  },
};

/** The code that CommonJS libraries need around them. */
const REQUIRE = "import{createRequire as __r}from'node:module';const require=__r(import.meta.url);";

/** Added only where it is needed: of forty modules, a few contain such a library. */
function giveRequire(path: string): void {
  const text = readFileSync(path, 'utf8');
  if (!/\brequire\b/.test(text)) return;
  const [first = ''] = /^#!.*\n/.exec(text) ?? [];
  writeFileSync(path, `${first}${REQUIRE}\n${text.slice(first.length)}`);
}

/**
 * Writes the command and the library as modules that share what both need. Modules that are imported on
 * demand are separate files, because parsing everything takes longer than starting Node.js.
 * @returns the files from which they were made, as paths from the root
 */
export async function bundle(root: string, folder: string): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      deliverability: join(root, 'src/client/main.ts'),
      library: join(root, 'src/client/library.ts'),
    },
    outdir: folder,
    chunkNames: 'parts/[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: `node${OLDEST_NODE}`,
    // As escapes, words in other scripts would be twice as long.
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    plugins: [findingsAsData, leaveOut(root)],
  });
  for (const path of Object.keys(metafile.outputs)) giveRequire(join(root, path));
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  return [...new Set(used.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? path : [])))];
}
