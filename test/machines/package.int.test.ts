/** Tests the folder `machines` as a package in someone else's project. */

import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startStack } from '../support/process/stack.ts';

const folder = mkdtempSync(join(tmpdir(), 'stranger-'));
const MANIFEST = '{"name":"stranger","type":"module"}';

/**
 * A stranger's program, which uses the machines by the package's name, their events, and something that is
 * not one of their events.
 */
const PROGRAM = `
import { initialTransition, transition } from 'xstate';
import { type DeliveryTestEvent, deliveryTest } from 'email-deliverability-machines/delivery-test';
import { type ReportPaymentEvent, reportPayment } from 'email-deliverability-machines/report-payment';

const at = '2026-01-01T00:00:00.000Z';
const later = '2026-01-01T01:00:00.000Z';
const events: readonly DeliveryTestEvent[] = [
  { type: 'TestCreated', at, data: { token_sha256: '', send_before: later, expires_at: later } },
  { type: 'MailArrived', at, data: { attempt: 1, digest: '' } },
  { type: 'AnalysisTimeout', at, data: { attempt: 1 } },
  { type: 'MailArrived', at: later, data: { attempt: 2, digest: '' } },
];
let [state] = initialTransition(deliveryTest);
const names = events.map((event) => {
  [state] = transition(deliveryTest, state, event);
  return JSON.stringify(state.value);
});
console.log(names.join(' '), initialTransition(reportPayment)[0].value);
export type Payment = ReportPaymentEvent;
// @ts-expect-error: no machine has such an event
transition(deliveryTest, state, { type: 'MailEaten', at, data: {} });
`;

/** Runs a program in the stranger's folder. */
const run = (file: string, args: readonly string[]) =>
  new Promise<{ code: unknown; text: string }>((done) => {
    execFile(file, args, { cwd: folder }, (error, stdout, stderr) =>
      done({ code: error ? error.code : 0, text: stdout + stderr }),
    );
  });

const node = (...args: readonly string[]) => run(process.execPath, args);

beforeAll(() => {
  writeFileSync(join(folder, 'package.json'), MANIFEST);
  writeFileSync(join(folder, 'program.ts'), PROGRAM);
  cpSync('machines', join(folder, 'machines'), { recursive: true });
  cpSync('node_modules/xstate', join(folder, 'node_modules/xstate'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

test('in a folder with only xstate, the machines have their types, and run', async () => {
  // Does the same as `npm install ./machines`.
  symlinkSync('../machines', join(folder, 'node_modules/email-deliverability-machines'));
  const options = ['--noEmit', '--strict', '--target', 'es2024', '--module', 'nodenext'];
  const checked = await node(resolve('node_modules/typescript/bin/tsc'), ...options, 'program.ts');
  expect(checked).toEqual({ code: 0, text: '' });
  const { text } = await node('program.ts');
  expect(text).toBe(
    '{"waiting":"open"} "processing" {"waiting":"open"} {"waiting":"open"} unpaid\n',
  );
});

test('the example walks every path against the service', async () => {
  const stack = await startStack();
  try {
    const { host, port } = stack.smtp();
    const { code, text } = await node('machines/example.mjs', stack.http(), `${host}:${port}`);
    expect(text).toMatch(
      /^ok - unknown, TestCreated, MailRefused, MailArrived, AnalysisDone, TestDeleted$/m,
    );
    expect([code, text.trim().split('\n').at(-1)]).toEqual([0, '11 paths, 0 failed']);
  } finally {
    await stack.stop();
  }
});

test('the example detects a service that deviates from the machine', async () => {
  const test = { test_id: 'abcdefgh2345', status: 'ready' };
  const server = createServer((_request, response) => response.end(JSON.stringify(test)));
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const { code, text } = await node(
    'machines/example.mjs',
    `http://127.0.0.1:${port}`,
    '127.0.0.1:9',
  );
  server.close();
  expect(text).toContain('not ok - unknown: after xstate.init: ready, not 404');
  expect(code).toBe(1);
});
