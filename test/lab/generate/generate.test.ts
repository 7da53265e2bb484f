/** Tests that every generated file is up to date. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generatedFiles } from './generate.ts';

const textOf = (path: string) => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

test('every generated file is up to date', async () => {
  const files = Object.entries(await generatedFiles());
  expect(files.length).toBeGreaterThan(8);
  const stale = files.flatMap(([path, text]) => (textOf(path) === text ? [] : path));
  expect(stale, 'Run `npm run generate`, and read the diff: it is part of the change.').toEqual([]);
});
