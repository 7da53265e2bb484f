import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Via } from '../../../environment/mail.ts';
import type { Listening } from './plain-server.ts';

const script = fileURLToPath(new URL('./plain-server.ts', import.meta.url));

/** Starts the yardstick as a child, which ends with this process. */
export async function forkPlainServer(dnsServer: string) {
  const child = fork(script, [dnsServer], { env: {} });
  const exited = once(child, 'exit');
  const listening = once(child, 'message').then(([message]) => (message as Listening).port);
  const port = await Promise.race([listening, exited]);
  if (typeof port !== 'number') throw new Error('The yardstick did not start.');
  return {
    host: '127.0.0.1',
    port,
    async stop() {
      child.disconnect();
      await exited;
    },
  } satisfies Via & { stop(): Promise<void> };
}
