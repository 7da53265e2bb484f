/** Tests that every program rejects a wrong command line with exit code 2. */

import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { PROGRAM_ENV, programOf } from '../environment/compile-cache.ts';

const UNKNOWN = "Unknown option '--wrong'. See --help.\n";

test.each([
  ['src/operator.ts', ['doctor', '--wrong'], UNKNOWN],
  ['src/operator.ts', ['replay', 'events', '--wrong'], UNKNOWN],
  ['src/operator.ts', ['streams', 'extra'], "Unexpected argument 'extra'. See --help.\n"],
  ['src/main.ts', ['--check', '--wrong'], UNKNOWN],
  ['src/setup/run.mjs', ['operate', 'nonsense'], 'There is no command "nonsense".\n'],
  ['src/setup/run.mjs', ['operate', '--wrong'], 'There is no command "--wrong".\n'],
])('%s %j says what is wrong and ends with 2', (file, args, said) => {
  const env = { ...PROGRAM_ENV, PAYMENTS: 'off' };
  const { status, stderr } = spawnSync(process.execPath, [programOf(file), ...args], {
    encoding: 'utf8',
    env,
  });
  expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(said) });
});
