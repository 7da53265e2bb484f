import { threadId } from 'node:worker_threads';
import type { WorkerTask } from '../../../src/adapters/worker-pool/protocol.ts';

/** Stands in for the real worker, to break at a chosen point. The plan is the HELO name of the job. */
export async function read({ job, port }: WorkerTask): Promise<void> {
  port.postMessage({ kind: 'begun' });
  const plan = job.context.helo;
  if (plan === 'hang') await new Promise(() => setInterval(() => {}, 1000));
  if (plan === 'spin') for (;;);
  if (plan === 'throw') throw new Error('broken');
  if (plan === 'exit') process.exit(1);
  if (plan === 'defect') {
    const value = { part: 'authentication', name: 'TypeError', at: ['at x'] };
    port.postMessage({ kind: 'defect', value });
  }
  port.postMessage({ kind: 'authentication', value: { plan } });
  if (plan === 'spin later') for (;;);
  port.postMessage({ kind: 'content', value: { thread: threadId } });
  port.close();
}
