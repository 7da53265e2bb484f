/**
 * Tests how the launcher runs a script, passes on signals and exit codes, and reports that a long
 * step continues.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const module = new URL('../../src/setup/process.mjs', import.meta.url).href;

/** Runs a launcher like `run.mjs`, for a command that is written as JavaScript. */
function launch(command: string) {
  const launcher = `
    import { runInPlace } from ${JSON.stringify(module)};
    process.exitCode = await runInPlace(process.execPath, ['-e', ${JSON.stringify(command)}], process.env);`;
  return spawn(process.execPath, ['--input-type=module', '-e', launcher], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('the command’s exit code becomes the launcher’s', async () => {
  expect(await once(launch('process.exit(7)'), 'exit')).toEqual([7, null]);
});

test('a command that a signal ended exits with 128 and the signal’s number', async () => {
  const [code] = await once(launch('process.kill(process.pid, "SIGKILL")'), 'exit');
  expect(code).toBe(128 + 9);
});

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('%s reaches the command once', async (name) => {
  const child = launch(`
    let times = 0;
    process.on('${name}', () => { times += 1; setTimeout(() => process.exit(40 + times), 50); });
    setInterval(() => {}, 1000);
    console.log('listening');`);
  await once(child.stdout, 'data');
  child.kill(name);
  expect(await once(child, 'exit')).toEqual([41, null]);
});

test('a step that takes long reports that it continues, and stops reporting at its end', async () => {
  const step = `
    import { run } from ${JSON.stringify(module)};
    await run(process.execPath, ['-e', 'setTimeout(() => process.exit(0), 1500)'], { signMs: 50 });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', step], {
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(said).toMatch(/^(setup: still running after \d+ s\n)+$/);
});
