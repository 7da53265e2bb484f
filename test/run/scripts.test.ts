/** Tests the tables of `npm run` scripts and their help. */

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandsOf, usageOfGroup, usagesOf } from '../../src/setup/scripts.mjs';
import { development, help, scripts } from './scripts.mjs';

const commands = commandsOf(scripts);

const { scripts: npmScripts } = JSON.parse(readFileSync('package.json', 'utf8'));

test('package.json names the scripts of both launchers, and help', () => {
  const wanted = [...Object.keys(scripts), 'help'].map((name) => [
    name,
    `exec node ${name in development || name === 'help' ? 'test/run' : 'src/setup'}/run.mjs ${name}`,
  ]);
  expect(npmScripts).toEqual(Object.fromEntries(wanted));
});

test.each(commands)('%s names an existing file', (_, { file }) => {
  expect(existsSync(file)).toBe(true);
});

test('help names the scripts that run the service first, in one sentence each', () => {
  const [scriptLines = '', loopLines] = help().split('After a change');
  expect(loopLines).toContain('npm run types');
  const lines = scriptLines.split('\n').filter((line) => line.startsWith('  '));
  for (const line of lines) expect(line).toMatch(/^ {2}[a-z:]+( -- [a-z]+)? +[A-Z]((?!\. ).)*\.$/);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(110);
  const first = lines.map((line) => line.trim().split(/ {2,}/)[0]);
  expect(first.slice(0, 6)).toEqual([
    'demo',
    'start',
    'operate -- doctor',
    'operate -- replay',
    'operate -- streams',
    'pack',
  ]);
  const named = first.map((name) => name?.split(' ')[0]);
  expect(new Set(named)).toEqual(new Set(Object.keys(scripts)));
});

test('a script with commands lists them', () => {
  const { lab } = development;
  const text = usageOfGroup('lab', lab);
  for (const [name, { does }] of Object.entries(lab.commands)) {
    expect(text).toContain(`  ${name}`);
    expect(text).toContain(does);
  }
});

test.each(['src/operator.ts', 'test/lab/cli.ts'])('every command of %s is a script', (file) => {
  const { stderr } = spawnSync(process.execPath, [file, '--help'], { encoding: 'utf8' });
  const [, names = ''] = /^Commands: (.+)\.$/m.exec(stderr) ?? [];
  expect(Object.keys(usagesOf(scripts))).toEqual(expect.arrayContaining(names.split(', ')));
});
