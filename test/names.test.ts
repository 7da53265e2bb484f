/** Tests that no two source files declare the same exported name. */

import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const DECLARED =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;

/**
 * Returns the names that a file declares and exports. A schema and its type share one name and one meaning.
 */
const namesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(DECLARED)].flatMap(([, name]) => name ?? [])),
];

/**
 * Returns names that several files declare, each with its files, because a reader cannot know which is meant.
 */
function declaredTwice(files: Readonly<Record<string, string>>): string[] {
  const places = Object.entries(files).flatMap(([path, text]) =>
    namesIn(text).map((name) => ({ name, path })),
  );
  return [...Map.groupBy(places, ({ name }) => name)]
    .filter(([, all]) => all.length > 1)
    .map(([name, all]) => `${name}: ${all.map(({ path }) => path).join(', ')}`);
}

test('no exported name of the source is declared twice', () => {
  // Names that other files import must be the ones that a reader would guess.
  const paths = globSync('{src,machines}/**/*.{ts,mjs}', { exclude: ['**/library.ts'] }).sort();
  const files = Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')]));
  expect(paths.length).toBeGreaterThan(100);
  expect(declaredTwice(files)).toEqual([]);
});

test('a name that two files declare is found', () => {
  const files = {
    'src/a.ts': 'export const format = (n: number) => String(n);',
    'src/b.ts': 'export function format(text: string) {}',
  };
  expect(declaredTwice(files)).toEqual(['format: src/a.ts, src/b.ts']);
});

test('a schema with its type, an import and a re-export are not second declarations', () => {
  const files = {
    'src/a.ts': 'export const Id = Type.String();\nexport type Id = Static<typeof Id>;',
    'src/b.ts': "import type { Id } from './a.ts';\nexport type { Id } from './a.ts';",
    'src/c.ts': "export { Id } from './a.ts';\nconst format = 1;",
    'src/d.ts': 'const format = 2;',
  };
  expect(declaredTwice(files)).toEqual([]);
});
