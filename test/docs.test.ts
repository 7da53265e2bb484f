/**
 * Tests that the documentation names only files, links, scripts and settings that exist, and every event with
 * its members.
 */

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { REMOVED } from '../src/config/settings.ts';
import { OriginalTestEvent } from '../src/domain/events.ts';
import { OriginalPaymentEvent } from '../src/domain/payment-events.ts';
import { commandsOf } from '../src/setup/scripts.mjs';
import { scripts } from './run/scripts.mjs';

const pages = ['README.md', ...globSync('{docs,.github}/**/*.md')].map((path): [string, string] => [
  path,
  readFileSync(path, 'utf8'),
]);

/** Returns each match once. */
const found = (text: string, pattern: RegExp): readonly string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, what = '']) => what)),
];

/**
 * Returns the anchor of a heading as GitHub makes it: in lower case, without punctuation, with a hyphen for
 * each space.
 */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (path: string) =>
  found(readFileSync(path, 'utf8').replace(/^```[\s\S]*?^```/gm, ''), /^#+ (.+)$/gm).map(anchorOf);

test.each(pages)('every file that %s names exists', (_, text) => {
  const paths = found(
    text,
    /(?<![\w./(-])((?:src|test|machines|docs|\.ci|\.github)\/[\w./-]*[\w/])/g,
  );
  // A name may stand for several files: `test/actors/test-histories*`.
  expect(paths.filter((path) => globSync(`${path}*`).length === 0)).toEqual([]);
});

test.each(pages)('every link of %s inside the project leads somewhere', (path, text) => {
  const broken = found(text, /\]\((?!https?:|mailto:)([^)\s]+)\)/g).filter((link) => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : join(dirname(path), file);
    return !existsSync(target) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
  });
  expect(broken).toEqual([]);
});

const calls = new Set([
  ...Object.keys(scripts),
  'help',
  ...commandsOf(scripts).map(([call]) => call),
]);

test.each(pages)('every script that %s names exists', (_, text) => {
  const names = found(text, /npm run (?:-s )?((?:(?:operate|generate|lab) -- )?[a-z][\w:-]*)/g);
  expect(names.filter((name) => !calls.has(name))).toEqual([]);
});

const settings = Object.keys(parseEnv(readFileSync('.env.example', 'utf8')));
const firstWords = new Set(settings.map((name) => name.split('_', 1)[0]));

test.each(pages)('every setting that %s names exists', (path, text) => {
  const known = path.endsWith('CHANGELOG.md') ? [...settings, ...REMOVED] : settings;
  const names = found(text, /(?<![\w*-])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?![\w…-])/g);
  const unknown = names.filter(
    (name) => firstWords.has(name.split('_', 1)[0] ?? '') && !known.includes(name),
  );
  expect(unknown).toEqual([]);
});

test('the tables of events name every event with its members', () => {
  const rows = readFileSync('docs/event-log.md', 'utf8').matchAll(
    /^\| `([A-Z]\w+)` \| [^|]+ \| (?:`([^`]*)` )?\|$/gm,
  );
  // Names in brackets belong to a member, and are not members themselves.
  const shown = [...rows].map(([, type, members = '']) => [
    type,
    members
      .replaceAll(/\[.*?\]/g, '')
      .split(', ')
      .filter(Boolean),
  ]);
  const events = [...OriginalTestEvent.anyOf, ...OriginalPaymentEvent.anyOf];
  expect(shown).toEqual(
    events.map(({ properties: { type, data } }) => [type.const, Object.keys(data.properties)]),
  );
});
