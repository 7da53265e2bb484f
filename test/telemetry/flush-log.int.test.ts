/**
 * Tests that the last log lines are written before a process ends, and that a process ends even if nobody
 * reads its log.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { expect, test } from 'vitest';

const logger = new URL('../../src/telemetry/logger.ts', import.meta.url).href;
const script = `
import { createLogger, flushLog } from ${JSON.stringify(logger)};
const log = createLogger('info');
log.info('ready');
process.stdin.once('data', async (text) => {
  if (String(text) === 'fatal') log.fatal('fatal');
  const exit = () => {
    log.info('the end');
    process.exit(1);
  };
  if (String(text) === 'exit') exit();
  if (String(text) === 'write, exit') return log.flush(exit);
  if (String(text) === 'earlier') {
    log.info('earlier');
    log.flush();
  }
  if (String(text) === 'much') for (let n = 0; n < 10_000; n++) log.info('a line that fills the pipe');
  log.info('stopped');
  const flushed = flushLog(log);
  if (String(text) === 'stall') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
  await flushed;
  if (String(text) === 'earlier') process.kill(process.pid, 'SIGKILL');
  process.exit(0);
});`;

/** Starts a process that logs a line, and another when it should end. Returns the lines that were read. */
async function end(whenReady: (stdout: Readable) => unknown, said = 'end') {
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await once(child.stdout, 'data');
  whenReady(child.stdout);
  child.stdin.write(said);
  const [code, signal] = await once(child, 'exit');
  return { code, signal, text };
}

test('the last line is written before the process ends', async () => {
  const { code, text } = await end(() => {});
  expect(code).toBe(0);
  expect(text).toContain('"msg":"stopped"');
});

test('a last line is written while an earlier one still is', async () => {
  const { text } = await end(() => {}, 'earlier');
  expect(text).toContain('"msg":"stopped"');
});

test('a process whose log nobody reads any more ends nevertheless', async () => {
  const { code, text } = await end((stdout) => stdout.destroy());
  expect(code).toBe(0);
  expect(text).not.toContain('stopped');
});

test.each([
  ['exit', 1],
  ['fatal', 0],
])(
  'a process with a line left over ends, even if nobody reads its log: %s',
  async (said, wanted) => {
    const { code } = await end((stdout) => stdout.destroy(), said);
    expect(code).toBe(wanted);
  },
);

test('a line that is left at the exit is written', async () => {
  const { code, text } = await end(() => {}, 'write, exit');
  expect(code).toBe(1);
  expect(text).toContain('"msg":"the end"');
});

test.concurrent('a process that stands still in the meantime ends in order', async () => {
  const { code, text } = await end(() => {}, 'stall');
  expect(code).toBe(0);
  expect(text).toContain('"msg":"stopped"');
});

test.concurrent('a process whose log is open but not read ends nevertheless', async () => {
  const { signal, text } = await end((stdout) => stdout.pause(), 'much');
  expect(signal).toBe('SIGKILL');
  expect(text).not.toContain('stopped');
});
