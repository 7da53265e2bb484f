import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { development, help, scripts } from './scripts.mjs';

const { scripts: npmScripts } = JSON.parse(readFileSync('package.json', 'utf8'));

test('package.json names the scripts of both launchers, and help', () => {
  const wanted = [...Object.keys(scripts), 'help'].map((name) => [
    name,
    `node ${name in development || name === 'help' ? 'test/run' : 'src/setup'}/run.mjs ${name}`,
  ]);
  expect(npmScripts).toEqual(Object.fromEntries(wanted));
});

test.each(Object.entries(scripts))('%s names a file that is there', (_, { file }) => {
  expect(existsSync(file)).toBe(true);
});

test('help prints one sentence per script', () => {
  const lines = help().split('\n').slice(2, -1);
  expect(lines).toHaveLength(Object.keys(scripts).length);
  for (const line of lines) expect(line).toMatch(/^ {2}[a-z:-]+ +[A-Z]((?!\. ).)*\.$/);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
});

test.each(['src/cli.ts', 'test/tools/cli.ts'])('every command of %s is a script', (file) => {
  const text = readFileSync(file, 'utf8');
  const commands = [...text.matchAll(/^ +'?([\w-]+)'?: async/gm)].map(([, name]) => name);
  expect(commands.length).toBeGreaterThan(0);
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(commands));
});
