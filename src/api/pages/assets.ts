/**
 * Collects the scripts, styles and images that pages load, with a version for their URLs that changes with
 * their content, and lists what each script imports.
 */

import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { fileURLToPath } from 'node:url';
import { joinModules } from './join-modules.ts';
import { texts } from './texts.ts';

const MODULE = 'text/javascript; charset=utf-8';

const here = fileURLToPath(new URL('.', import.meta.url));

const read = (file: string | URL) => readFileSync(file, 'utf8');

/**
 * Removes the comments of a module. They make up a third of it, and only readers of the source need them.
 */
const withoutComments = (code: string) =>
  code.replace(/^[ \t]*(?:\/\*(?:(?!\*\/)[\s\S])*\*\/|\/\/.*)\n/gm, '');

const fromDomain = (...names: readonly string[]) =>
  names.map((name) => withoutComments(read(`${here}../../domain/report/${name}.mjs`))).join('');

/** Matches the keys of texts that only pages rendered on the server use. */
const SERVER_ONLY =
  /^(skip|see_sample|test_description|pay_without_script)$|^how_(\d|title)|^(create|get_usdc|resume|ask_key|look_again|home|what|mail|programs|command|privacy|method|finding|findings_page|errors|foot|nav|noscript|sample|not_found)(_|$)/;

const browserTexts = Object.fromEntries(
  Object.entries(texts).filter(([key]) => !SERVER_ONLY.test(key)),
);

/**
 * Browser modules by name. They are served as they are written, without a build step, so the source code is
 * what runs. The terminal and the MCP summary share some words with pages: the modules that only re-export
 * these words are replaced with the modules that contain them.
 */
const modules = new Map([
  ...globSync('{browser,view}/*.mjs', { cwd: here })
    .sort()
    .map((name) => [name, withoutComments(read(here + name))] as const),
  ['view/report-words.mjs', fromDomain('compare', 'digest', 'score-text')],
  ['view/filter-words.mjs', fromDomain('filter-words')],
  ['strings.mjs', `export const texts = ${JSON.stringify(browserTexts)};\n`],
]);

/**
 * Modules that are always needed together, each with the file in which it is sent. As separate files, a
 * browser on a slow network would load them only six at a time.
 */
const sentWith: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    'browser/start.mjs': ['browser/api.mjs'],
    'browser/page.mjs': ['strings.mjs', 'view/html.mjs'],
    'browser/test.mjs': ['browser/stage.mjs', 'view/live.mjs'],
    'browser/pay-flow.mjs': ['browser/pay-view.mjs', 'browser/payment.mjs'],
    'browser/report-page.mjs': [
      ...['comparison', 'dns-hosts', 'facts', 'findings', 'fixes', 'report', 'report-words'],
      ...['score', 'sender-drawing'],
    ].map((name) => `view/${name}.mjs`),
    'view/filters.mjs': ['view/filter-words.mjs'],
  }).flatMap(([file, parts]) => parts.map((part) => [part, file])),
);

/** All static files that pages load, by name. */
export const assets: ReadonlyMap<string, { readonly type: string; readonly body: string }> =
  new Map([
    [
      'style.css',
      { type: 'text/css; charset=utf-8', body: withoutComments(read(`${here}style.css`)) },
    ],
    ['icon.svg', { type: 'image/svg+xml', body: read(`${here}icon.svg`) }],
    ...[...joinModules(modules, sentWith)].map(
      ([name, body]) => [name, { type: MODULE, body }] as const,
    ),
    // This is the only third-party library on pages. It draws QR codes in the browser, so that the address
    // goes to no other service.
    ['uqr.mjs', { type: MODULE, body: read(new URL(import.meta.resolve('uqr'))) }],
  ]);

/** A hash of all assets that is part of their URLs, so that a page never loads files of another release. */
export const assetVersion = createHash('sha256')
  .update([...assets].map(([name, { body }]) => name + body).join('\n'))
  .digest('base64url')
  .slice(0, 10);

/** The imports of every module. All imports have names, and none is only for its side effects. */
const imports = new Map(
  [...assets].map(([name, { body }]) => [
    name,
    [...body.matchAll(/\bfrom ["'](\.[^"']+)["']/g)].map(([, path = '']) =>
      join(dirname(name), path),
    ),
  ]),
);

/** Returns a module and everything that it imports, so that a page can list all of these files at once. */
export function withImports(name: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const one of imports.get(name) ?? []) withImports(one, seen);
  return seen;
}
