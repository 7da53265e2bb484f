/** Collects the scripts, styles and images that pages load, under names that change with their content. */

import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { texts } from './texts.ts';

const MODULE = 'text/javascript; charset=utf-8';

const here = fileURLToPath(new URL('.', import.meta.url));

const read = (file: string | URL) => readFileSync(file, 'utf8');

/** A third of a module consists of comments, which only readers of the source need. */
const withoutComments = (code: string) =>
  code.replace(/^[ \t]*\/\*(?:(?!\*\/)[\s\S])*\*\/\n/gm, '');

/** Texts that only the server's pages use. */
const SERVER_ONLY =
  /^(skip|see_sample|test_description|pay_without_script)$|^how_(\d|title)|^(create|get_usdc|resume|ask_key|look_again|home|what|mail|programs|command|privacy|method|finding|findings_page|errors|foot|nav|noscript|sample|not_found)(_|$)/;

const browserTexts = Object.fromEntries(
  Object.entries(texts).filter(([key]) => !SERVER_ONLY.test(key)),
);

/** Browser modules are served as they are written. There is no build, so what you read here is what runs. */
const modules = globSync('{browser,view}/*.mjs', { cwd: here }).sort();

/** Everything static that pages load, by name. */
export const assets: ReadonlyMap<string, { readonly type: string; readonly body: string }> =
  new Map([
    [
      'style.css',
      { type: 'text/css; charset=utf-8', body: withoutComments(read(`${here}style.css`)) },
    ],
    ['icon.svg', { type: 'image/svg+xml', body: read(`${here}icon.svg`) }],
    ...modules.map(
      (name) => [name, { type: MODULE, body: withoutComments(read(here + name)) }] as const,
    ),
    // Words that the terminal and the MCP summary use too. The module that names the modules of these words
    // is replaced by the modules themselves.
    [
      'view/report-words.mjs',
      {
        type: MODULE,
        body: ['compare', 'digest', 'score-text']
          .map((name) => withoutComments(read(`${here}../../domain/report/${name}.mjs`)))
          .join('\n'),
      },
    ],
    [
      'view/filter-words.mjs',
      { type: MODULE, body: withoutComments(read(`${here}../../domain/report/filter-words.mjs`)) },
    ],
    [
      'strings.mjs',
      { type: MODULE, body: `export const texts = ${JSON.stringify(browserTexts)};\n` },
    ],
    // The only third-party library. It draws the address as a QR code, so that no other service has to.
    ['uqr.mjs', { type: MODULE, body: read(new URL(import.meta.resolve('uqr'))) }],
  ]);

/** Part of the address of every asset, so that a page never gets the files of another release. */
export const assetVersion = createHash('sha256')
  .update([...assets].map(([name, { body }]) => name + body).join('\n'))
  .digest('base64url')
  .slice(0, 10);

/** Every module with the modules that it imports. Each import has names: none is only for its effects. */
const imports = new Map(
  [...assets].map(([name, { body }]) => [
    name,
    [...body.matchAll(/\bfrom '(\.[^']+)'/g)].map(([, path = '']) => join(dirname(name), path)),
  ]),
);

/** Returns a module and everything it imports, so that a page can name all of it at once. */
export function withImports(name: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const one of imports.get(name) ?? []) withImports(one, seen);
  return seen;
}
