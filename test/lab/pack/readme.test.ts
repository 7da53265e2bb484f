/** Tests that the README of the package can be read without the project beside it. */

import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readableAnywhere } from './readme.ts';

const PATH = 'docs/command.md';
const BASE = 'https://github.com/owner/project/blob/v1.0.0';

const readmeAt = (base: string | undefined) =>
  readableAnywhere(readFileSync(PATH, 'utf8'), PATH, base);

const linksIn = (text: string) =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);

const anchorsIn = (text: string) =>
  [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(
    ([, heading = '']) =>
      `#${heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-')}`,
  );

test.each([BASE, undefined])(
  'every link of the packed README leads somewhere without the project beside it: %s',
  (base) => {
    const text = readmeAt(base);
    const broken = linksIn(text).filter((link) => !URL.canParse(link));
    expect(broken.filter((link) => !anchorsIn(text).includes(link))).toEqual([]);
    expect(text).not.toMatch(/\]\((?!https:|#)|\]\[/);
  },
);

test('a link into the project leads to the same file in the repository', () => {
  const links = linksIn(readmeAt(BASE)).filter((link) => link.startsWith(BASE));
  expect(links.length).toBeGreaterThan(5);
  for (const link of links)
    expect(existsSync(link.slice(BASE.length + 1).replace(/#.*/, '')), link).toBe(true);
});

test.each([
  ['[a](b.md) [c](../d.md#e)', '[a](BASE/docs/b.md) [c](BASE/d.md#e)'],
  ['[a](#b) [c](https://d.example/e)', '[a](#b) [c](https://d.example/e)'],
  ['```sh\n[a](b)\n```\n[a](b)', '```sh\n[a](b)\n```\n[a](BASE/docs/b)'],
])('%j', (text, made) => {
  expect(readableAnywhere(text, PATH, BASE)).toBe(made.replaceAll('BASE', BASE));
});

test('without a repository, only the words of a link remain', () => {
  expect(readableAnywhere('See [`a`](b.md).', PATH, undefined)).toBe('See `a`.');
});
