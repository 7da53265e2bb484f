/**
 * Tests `deliverability findings`, which lists and explains all findings, and that the help of each command
 * explains the options in its examples.
 */

import { expect, test } from 'vitest';
import { checks } from '../../src/analysis/checks.ts';
import usage from '../../src/client/usage.json' with { type: 'json' };
import { playCommand } from '../support/command/played-console.ts';

test('findings lists every id with its cost, and can be narrowed to a word', async () => {
  const all = await playCommand(['findings']);
  const some = await playCommand(['findings', 'Unsubscrib']);
  expect([all.exitCode, some.exitCode]).toEqual([0, 0]);
  for (const { id } of checks) expect(all.stdout).toMatch(new RegExp(`^ {4}${id} `, 'm'));
  expect(some.stdout).toMatch(/^ {4}one_click +-\d+ /m);
  expect(some.stdout).not.toContain('spf_record');
});

test.each(checks.map(({ id }) => id))('findings explains %s', async (id) => {
  const { exitCode, stdout } = await playCommand(['findings', id]);
  const json = JSON.parse((await playCommand(['findings', id, '--format', 'json'])).stdout);
  expect([exitCode, json.findings.length, json.findings[0].id]).toEqual([0, 1, id]);
  for (const head of ['States, from worst to best', 'What to do', 'Wrong', 'Right'])
    expect(stdout).toContain(`\n  ${head}\n`);
  expect(stdout).not.toContain('undefined');
});

test.each(['dkim-val', 'DKIM_VAL', 'bimi_l'])(
  '%s names one finding, which is explained',
  async (word) => {
    const { stdout } = await playCommand(['findings', word]);
    expect(stdout).toContain('States, from worst to best');
  },
);

test('each example uses options that its help explains', async () => {
  for (const [name, { examples }] of Object.entries(usage.commands)) {
    const { stdout } = await playCommand([name, '--help']);
    const explained = stdout.split('\nExamples:')[0];
    for (const example of examples)
      for (const [option] of example.matchAll(/--[a-z-]+/g)) expect(explained).toContain(option);
  }
});
