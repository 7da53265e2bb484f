/**
 * Tests the architecture of the source: which folders may import what, what is loaded on demand,
 * which files may be long, and which may parse prose.
 */

import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { folders } from './folders.ts';

const paths = Object.keys(folders);

/** The layers. The longest matching path decides what a file may import. */
const layers = Object.fromEntries(
  Object.entries(folders).flatMap(([path, { rules }]) => (rules ? [[path, rules]] : [])),
);

/** The folders of `src/analysis` with one signal each, and the other signals that each builds on. */
const signals: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(folders).flatMap(([path, one]) =>
    one.signals ? [[basename(path), one.signals]] : [],
  ),
);

/** Folders that all signals share. They know nothing about signals except their facts. */
const SHARED = ['advice', 'names', 'syntax'];

const analysisFolder = (path: string): string | undefined =>
  path.match(/^src\/analysis\/([^/]+)\//)?.[1];

/**
 * Returns whether a file of one signal, or of a shared folder, imports from a signal that it must not know.
 */
function crossesSignals(path: string, target: string): boolean {
  const from = analysisFolder(path);
  const to = analysisFolder(target);
  if (from === undefined || to === undefined || from === to || from === 'mail') return false;
  if (basename(target) === 'facts.ts') return false;
  return !SHARED.includes(to) && !signals[from]?.includes(to);
}

/** The packages that are installed in production. No other package may run there. */
const production = new Set(
  Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).dependencies),
);

/** Returns the longest path that matches, such as `src/adapters/nats` for a file in it. */
const layerOf = (path: string): string | undefined =>
  Object.keys(layers)
    .filter((name) => path === name || path.startsWith(`${name}/`))
    .sort((a, b) => b.length - a.length)[0];

const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');

const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

function importsOf(text: string): string[] {
  const found = withoutComments(text).matchAll(
    /(?:^|[\s;}])(?:from|import)\s*\(?\s*['"]([^'"\s,]+)['"]/g,
  );
  return [...found].flatMap(([, name]) => name ?? []);
}

/**
 * Matches uses of time, randomness and the machine. A pure layer is given these and never takes them itself.
 */
const OUTSIDE =
  /\b(Date\.now|new Date\(\)|Math\.random|performance\.|setTimeout|setInterval|process\.|crypto\.|fetch\()/;

/** Returns what a file imports or uses against the rules of its layer. */
function breachesOf(path: string, text: string): string[] {
  const layer = layerOf(path);
  const rules = layer && layers[layer];
  const isBreach = (name: string): boolean => {
    const isOurs = name.startsWith('.');
    // Tests may import the source, but the source may not import tests.
    if (isOurs && join(dirname(path), name).startsWith('test/')) return true;
    const isNode = name.startsWith('node:');
    if (!isOurs && !isNode && !production.has(packageOf(name))) return true;
    if (!rules) return false;
    if (isNode) return !rules.outside && !rules.packages.includes(name);
    if (!isOurs) return ![name, packageOf(name)].some((one) => rules.packages.includes(one));
    const target = join(dirname(path), name);
    if (crossesSignals(path, target)) return true;
    const targetLayer = layerOf(target);
    return targetLayer !== layer && !rules.layers.includes(targetLayer ?? '');
  };
  const taken = !rules || rules.outside ? undefined : withoutComments(text).match(OUTSIDE)?.[0];
  return [...importsOf(text).filter(isBreach), ...(taken ? [taken] : [])].map(
    (what) => `${path} -> ${what}`,
  );
}

const files = globSync('{src,machines}/**/*.ts');

test.each(files)('%s imports only what its layer may import', (path) => {
  expect(breachesOf(path, readFileSync(path, 'utf8'))).toEqual([]);
});

/**
 * Returns the files that import each other in a circle, or lie between two circles. Type imports count as
 * well.
 */
function inCircles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const of = (path: string) => imports.get(path) ?? [];
  let left = [...imports.keys()];
  for (let before = Number.POSITIVE_INFINITY; left.length < before; ) {
    before = left.length;
    const there = new Set(left);
    const imported = new Set(left.flatMap(of));
    left = left.filter((path) => imported.has(path) && of(path).some((one) => there.has(one)));
  }
  return left;
}

test('there are no circular imports', () => {
  const targets = (path: string) =>
    importsOf(readFileSync(path, 'utf8')).map((name) => join(dirname(path), name));
  expect(inCircles(new Map(files.map((path) => [path, targets(path)])))).toEqual([]);
  const planted = { a: ['b'], b: ['c'], c: ['b', 'd'], d: [] };
  expect(inCircles(new Map(Object.entries(planted)))).toEqual(['b', 'c']);
});

/** Returns the packages that are loaded together with a file, without types and dynamic imports. */
function loadedWith(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  const statics = withoutComments(readFileSync(path, 'utf8')).matchAll(
    /^(?:import|export)\s+(?!type\s)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm,
  );
  for (const [, name = ''] of statics)
    if (name.startsWith('.')) loadedWith(join(dirname(path), name), seen);
    else seen.add(packageOf(name));
  return seen;
}

test('code that takes much memory is loaded only if it is on', () => {
  const always = loadedWith('src/main.ts');
  expect(always).toContain('fastify');
  for (const name of ['@modelcontextprotocol/server', '@opentelemetry/sdk-trace', 'viem'])
    expect(always).not.toContain(name);
  expect(loadedWith('src/service/payments.ts')).toContain('viem');
});

test('no code of the spam filters is loaded if none is set up', () => {
  const clients = ['src/adapters/filters/spamd.ts', 'src/adapters/filters/rspamd.ts'];
  const table = 'src/inspection/filters.ts';
  for (const path of ['src/main.ts', 'src/worker.ts', 'src/client/parts/lint.ts'])
    expect([...loadedWith(path)].filter((one) => [...clients, table].includes(one))).toEqual([]);
  expect(loadedWith('src/service/filters.ts')).toContain(table);
  expect(loadedWith('src/client/lint/filters.ts')).toContain(table);
});

/** Files over 250 lines, each with the reason why it is still one thing. */
const longFiles: Record<string, string> = {
  'src/analysis/advice/whose-server.ts': 'who runs the sending server is decided in one place',
  'src/analysis/headers/address-list.ts': 'one grammar, parsed in one pass over its tokens',
  'src/analysis/html/appearance.ts': 'every way to hide a text is decided from one style',
  'src/analysis/mime/file-insides.ts': 'one walk through the files inside a file',
  'src/analysis/reputation/mx-checks.ts': 'two checks of one subject, with their texts',
  'src/analysis/spf/correct.ts': 'every correction of a record as text, which build on each other',
  'src/analysis/spf/read-term.ts':
    'every misspelling of a term, in the order in which they are tried',
  'src/analysis/spf/syntax-checks.ts': 'the checks of one record as text, with their texts',
  'machines/delivery-test.ts': 'one machine is one object',
  'src/adapters/mail-workers/workers.ts': 'how emails come to workers and back is one piece',
  'src/adapters/dns/message.ts': 'one wire format, encoded and decoded by the same tables',
  'src/config/settings.ts': 'every setting is one row of one table',
  'src/mcp/mcp-server.ts': 'every tool and resource of the server is registered in one place',
  'src/inspection/after-verdict.ts': 'one table of all lookups that the verdict does not need',
  'src/telemetry/metrics.ts': 'every metric is declared in one place',
  'src/adapters/nats/streams.ts': 'every stream with its limits, and how it is made, in one table',
  'src/actors/settler/job-steps.ts': 'the order of work of a payment is read in one piece',
};

test('a file over 250 lines has a reason in the table above', () => {
  const long = files.filter(
    (path) => readFileSync(path, 'utf8').trimEnd().split('\n').length > 250,
  );
  expect(long.sort()).toEqual(Object.keys(longFiles).sort());
});

test.each(files.filter((path) => path.endsWith('/facts.ts')))('%s contains only types', (path) => {
  const text = withoutComments(readFileSync(path, 'utf8'));
  expect(text.match(/^(?!import type|export (?:type|interface)|[ }]).+/gm) ?? []).toEqual([]);
});

/**
 * Patterns of code that reads prose. Prose is for people: code that reads a report uses `checked`, `state`,
 * `evidence`, `actions` and codes.
 */
const READS_PROSE = [
  /Unknown: (?!\$\{)/,
  /\b(?:detail|fix|message)\??\.(?:match|matchAll|search|startsWith|endsWith|includes|indexOf)\(/,
  /\.(?:test|exec)\([^)]*\b(?:detail|fix|message)\b/,
];

const proseReadIn = (text: string): string[] =>
  READS_PROSE.flatMap((pattern) => withoutComments(text).match(pattern)?.[0] ?? []);

test.each(globSync('src/{client,mcp,api/pages}/**/*.{ts,mjs}'))('%s parses no prose', (path) => {
  expect(proseReadIn(readFileSync(path, 'utf8'))).toEqual([]);
});

test.each([
  "if (finding.detail.startsWith('Unknown: '))",
  'const [, code] = /: ([a-z_]+)/.exec(error.message) ?? [];',
  'finding.fix?.match(/TXT .*/)',
  'if (/lookups/.test(one.detail))',
])('code that parses prose is found: %s', (text) => {
  expect(proseReadIn(text)).not.toEqual([]);
});

test('every folder of the analysis is a signal, shared, or puts signals together', () => {
  const folders = new Set(files.flatMap((path) => analysisFolder(path) ?? []));
  expect([...folders].sort()).toEqual([...Object.keys(signals), ...SHARED, 'mail'].sort());
});

test.each(['spf', 'dkim', 'dmarc', 'arc', 'bimi'])(
  'files named after %s are in its folder, in the inspection or in its adapter',
  (signal) => {
    const named = new RegExp(`(?:^|/|-)${signal}(?:-|\\.|/)`);
    const folders = new Set(files.filter((path) => named.test(path)).map(dirname));
    const allowed = [`src/analysis/${signal}`, 'src/inspection', 'src/adapters/mailauth'];
    expect([...folders].filter((folder) => !allowed.includes(folder))).toEqual([]);
  },
);

test('every folder of the source says what it is for, and each one listed exists', () => {
  const all = globSync('{src,machines}/**/*', { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath }) => parentPath);
  const first = (path: string) => path.split('/').slice(0, 3).join('/');
  const found = new Set(all.map(first).filter((path) => path !== 'src'));
  expect([...found, 'src/adapters'].sort()).toEqual(paths.toSorted());
});

test('only folders that compose the others may import anything', () => {
  const free = new Set(files.map((path) => layerOf(path) ?? dirname(path)));
  const composing = [...free].filter((name) => !(name in layers));
  for (const name of composing)
    expect(name).toMatch(/^src(\/(operator|config|service|setup)\b.*)?$/);
});

test.each([
  ['src/adapters/nats/x.ts', "import { y } from '../dns/y.ts';", '../dns/y.ts'],
  ['src/adapters/nats/x.ts', "import { y } from '../../actors/y.ts';", '../../actors/y.ts'],
  ['src/adapters/nats/x.ts', "import { connect } from 'viem';", 'viem'],
  ['src/domain/x.ts', "import { readFile } from 'node:fs/promises';", 'node:fs/promises'],
  [
    'src/analysis/x.ts',
    "import { spf } from 'mailauth/lib/spf/index.js';",
    'mailauth/lib/spf/index.js',
  ],
  ['src/domain/x.ts', "export type { Row } from '../projection/row.ts';", '../projection/row.ts'],
  ['src/projection/x.ts', 'const now = Date.now();', 'Date.now'],
  ['src/analysis/x.ts', "const later = await import('../ports/log.ts');", '../ports/log.ts'],
  ['src/api/x.ts', "import type { Z } from '../actors/z.ts';", '../actors/z.ts'],
  ['src/actors/x.ts', "import {\n  type A,\n  b,\n} from '../main.ts';", '../main.ts'],
  ['machines/x.ts', "import '../src/telemetry/logger.ts';", '../src/telemetry/logger.ts'],
  ['src/operator/x/y.ts', "import { z } from '../../../test/z.ts';", '../../../test/z.ts'],
  ['src/main.ts', "const z = await import('../test/z.ts');", '../test/z.ts'],
  ['src/operator/x.ts', "import { assert } from 'fast-check';", 'fast-check'],
  ['src/service/x.ts', "import * as packet from 'dns-packet';", 'dns-packet'],
  ['src/operator/x.ts', "const { parse } = await import('yaml');", 'yaml'],
  ['src/inspection/x.ts', "import { y } from '../actors/y.ts';", '../actors/y.ts'],
  ['src/analysis/spf/x.ts', "import { y } from '../dkim/y.ts';", '../dkim/y.ts'],
  ['src/analysis/names/x.ts', "import { y } from '../spf/y.ts';", '../spf/y.ts'],
])('a breach in %s is found: %s', (path, text, what) => {
  expect(breachesOf(path, text)).toEqual([`${path} -> ${what}`]);
});

test.each([
  ['src/projection/x.ts', "// Date.now is not ours\nimport { setup } from 'xstate';"],
  ['src/adapters/nats/x.ts', "import type { Clock } from '../../ports/ambient.ts';"],
  ['src/main.ts', "import { x } from './adapters/nats/x.ts';"],
  ['src/analysis/x.ts', "const ways = ['remove me from', 'unsubscribe'];"],
])('allowed imports of %s are not reported', (path, text) => {
  expect(breachesOf(path, text)).toEqual([]);
});
