import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';

const ACTION = '.github/actions/deliverability';
const action = parse(readFileSync(`${ACTION}/action.yml`, 'utf8'));
const steps: { readonly env?: Record<string, string>; readonly run: string }[] = action.runs.steps;

test('every input is used, none that is not there, and none inside a script', () => {
  const used = steps.flatMap(({ env = {} }) =>
    Object.values(env).flatMap((value) => /inputs\.([\w-]+)/.exec(value)?.[1] ?? []),
  );
  expect(used.sort()).toEqual(Object.keys(action.inputs).sort());
  for (const { run } of steps) expect(run).not.toContain('${{');
});

let folder: string;
beforeAll(() => {
  // The action beside a command that prints its arguments instead of doing anything.
  folder = mkdtempSync(join(tmpdir(), 'action-'));
  cpSync(ACTION, join(folder, ACTION), { recursive: true });
  mkdirSync(join(folder, 'dist/deliverability'), { recursive: true });
  writeFileSync(
    join(folder, 'dist/deliverability/deliverability.js'),
    `const args = process.argv.slice(2);
     console.log(JSON.stringify(args));
     const json = args.find((arg) => arg.startsWith('json='));
     require('node:fs').writeFileSync(json.slice(5), '{"score": 68}');
     process.exitCode = 1;`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (inputs: Record<string, string>) => {
  const output = join(folder, 'output');
  writeFileSync(output, '');
  const { status, stdout, stderr } = spawnSync(join(folder, ACTION, 'run.sh'), {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, RUNNER_TEMP: folder, GITHUB_OUTPUT: output, ...inputs },
  });
  expect(stderr).toBe('');
  return { status, args: JSON.parse(stdout) as string[], output: readFileSync(output, 'utf8') };
};

test('the inputs become arguments, each whole, and the exit code is that of the command', () => {
  const send = `mail -s "it's $(id) a test" {address}`;
  const { status, args, output } = run({
    INPUT_SEND: send,
    INPUT_MIN_SCORE: '80',
    INPUT_SOFT: 'true',
    INPUT_SARIF: 'a b.sarif',
    INPUT_ARGUMENTS: '--pay-to\n0x1\n',
  });
  expect(status).toBe(1);
  expect(args.slice(0, 3)).toEqual(['check', '--send', send]);
  for (const part of ['--soft', '--min-score', '80', 'sarif=a b.sarif', '--pay-to', '0x1'])
    expect(args).toContain(part);
  expect(output).toMatch(/^score=68\nreport=/);
});

test('a file is judged without the service, and without a price', () => {
  const { args } = run({ INPUT_LINT: 'ci/mail.eml', INPUT_MAX_PRICE: '0.05' });
  expect(args.slice(0, 2)).toEqual(['lint', 'ci/mail.eml']);
  expect(args).not.toContain('--max-price');
});
