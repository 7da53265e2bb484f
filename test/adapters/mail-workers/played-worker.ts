/** Stands in for the mail worker in tests, and fails where the HELO name of an email says. */

import { parentPort, threadId, workerData } from 'node:worker_threads';
import type { ToWorker, WorkerData } from '../../../src/adapters/mail-workers/protocol.ts';
import { showSigns } from '../../../src/adapters/mail-workers/watch.ts';

/**
 * The plan of what goes wrong is the HELO name of the email: what the worker does, and whether before or
 * after the gate.
 */
const { signs: memory } = workerData as WorkerData;
const signs = showSigns(memory);
const plans = new Map<number, string>();
const wasted: number[][] = [];

const post = (message: object) => parentPort?.postMessage([message]);

function play(number: number, at: string): void {
  const [what, when = 'before'] = (plans.get(number) ?? '').split(' ');
  if (when !== at) return;
  signs.mark(number);
  if (what === 'spin') for (;;);
  if (what === 'exit') process.exit(1);
  if (what === 'memory') for (;;) wasted.push(Array.from({ length: 1e6 }, Math.random));
  if (what === 'defect')
    post({ kind: 'defect', defect: { part: 'analysis', name: 'TypeError', at: ['at x'] } });
}

parentPort?.on('message', (messages: readonly ToWorker[]) => {
  for (const message of messages) {
    const { kind, number } = message;
    if (kind === 'open') {
      plans.set(number, message.mail.client.helo ?? '');
      const text = Buffer.from(message.bytes).toString();
      message.bytes.fill(0);
      signs.take(number);
      play(number, 'before');
      post({
        kind: 'gate',
        number,
        gate: {
          reasons: [],
          headerFromDomain: text === 'thread' ? `${threadId}` : text,
          resolverDown: false,
        },
      });
    } else if (kind === 'report') {
      // Some work continues while other emails are read.
      setTimeout(() => {
        play(number, 'after');
        const report = {
          json: new Uint8Array(2),
          sha256: '',
          score: 1,
          grade: 'F',
          analyzedAt: '',
        };
        post({ kind: 'reported', number, report });
        post({ kind: 'ended', number, queries: { found: [1] } });
      }, 50);
    } else post({ kind: 'ended', number, queries: {} });
  }
});
