import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

const module = new URL('../../src/setup/process.mjs', import.meta.url).href;

/** A launcher like `run.mjs`, of a command written as JavaScript. */
function launch(command: string) {
  const launcher = `
    import { runInPlace } from ${JSON.stringify(module)};
    process.exitCode = await runInPlace(process.execPath, ['-e', ${JSON.stringify(command)}], process.env);`;
  return spawn(process.execPath, ['--input-type=module', '-e', launcher], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

test('the command’s exit code is the launcher’s', async () => {
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
