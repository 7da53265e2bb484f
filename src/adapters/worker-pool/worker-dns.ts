import type { MessagePort } from 'node:worker_threads';
import type { DnsAnswer, Resolver } from '../../ports/dns.ts';
import type { FromWorker, ToWorker } from './protocol.ts';

/** Asks the main thread's resolver through a port. */
export function askThrough(port: MessagePort): Resolver['ask'] {
  const waiting = new Map<number, (answer: DnsAnswer<unknown>) => void>();
  let last = 0;
  port.on('message', ({ id, answer }: ToWorker) => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  });
  return (name, type) => {
    last += 1;
    const id = last;
    port.postMessage({ kind: 'ask', id, name, type } satisfies FromWorker);
    return new Promise((resolve) => waiting.set(id, resolve));
  };
}
