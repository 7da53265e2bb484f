/** Bundles the programs that tests start again and again, because loading hundreds of files takes long. */

import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = join(root, 'node_modules', '.cache', 'programs');
const loader = new URL('load-program.mjs', import.meta.url).href;

const WORKER = 'src/worker.ts';
const entries = [
  ...[WORKER, 'test/environment/service-main.ts', 'test/faults/world/service.ts'],
  ...['test/faults/world/wall-clock.ts', 'test/support/payments/service-child.ts'],
  ...['src/client/main.ts', 'src/main.ts', 'src/operator.ts'],
];

const programOf = (entry: string) => join(folder, entry.replace(/\.ts$/, '.mjs'));

/** Makes the bundles find files where they would be beside the source. The worker is a program, too. */
const places: Plugin = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const worker = JSON.stringify(pathToFileURL(programOf(WORKER)));
      const contents = source
        .replace("'../worker.ts', import.meta.url", worker)
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path)))
        // CommonJS has no `await` outside of functions.
        .replace(/^(?:if [^\n]* = )?await [\s\S]*/m, '(async () => {$&})();');
      return { contents, loader: 'ts' };
    });
  },
};

/**
 * Bundles the service into one file for the processes that tests start again and again. Loading hundreds of
 * files, and compiling what they call, takes as much processor time as most of these processes need for
 * everything else.
 */
export async function setup(): Promise<void> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: folder,
    outbase: root,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    minifyWhitespace: true,
    lineLimit: 120,
    legalComments: 'none',
    // `load-program.mjs` calls this function with what CommonJS modules expect.
    banner: { js: '(function (require, resolve_) {"use strict"; const module = {};' },
    footer: { js: '})' },
    define: { 'import.meta.resolve': 'resolve_' },
    plugins: [places],
    // A test checks whether this package is loaded.
    external: ['@opentelemetry/*'],
    write: false,
  });
  const made = outputFiles.flatMap(({ path, contents, hash }) => {
    const compiled = `${path}.${encodeURIComponent(hash)}`;
    const start = `import { loadProgram } from '${loader}';\nloadProgram('${path}', '${compiled}');\n`;
    return [
      { path, contents },
      { path: path.replace(/cjs$/, 'mjs'), contents: Buffer.from(start) },
      { path: compiled },
    ];
  });
  // Another run of the same tests may be reading, so files that have not changed are left alone.
  for (const { path, contents } of made) {
    const old = await readFile(path).catch(() => undefined);
    if (!contents || old?.equals(contents)) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(`${path}.${process.pid}`, contents);
    await rename(`${path}.${process.pid}`, path);
  }
  const kept = new Set(made.map(({ path }) => path));
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile() && !kept.has(path)) await rm(path, { force: true });
  }
  process.env.TEST_PROGRAMS = folder;
}
