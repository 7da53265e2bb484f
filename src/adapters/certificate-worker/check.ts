import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CertificateVerdict, CheckCertificate } from '../../ports/web.ts';

/** For one certificate, in milliseconds. */
const CHECK_MS = 3000;

/** Until a worker without work ends, in milliseconds: few mails have a certificate. */
const IDLE_MS = 30_000;

const MAX_HEAP_MIB = 128;

export interface CertificateTask {
  readonly number: number;
  readonly certificate: Parameters<CheckCertificate>[0];
}

/** The first message of the worker says that it is ready. */
export const READY: CertificateAnswer = { number: 0, verdict: null };

export interface CertificateAnswer {
  readonly number: number;
  readonly verdict: CertificateVerdict | null;
}

/**
 * Judges BIMI certificates in a thread of its own, which is ended when one takes too long: what is
 * compressed in it is unfolded there.
 */
export function checkInWorker(workerUrl: URL, workerData?: unknown): CheckCertificate {
  let worker: Worker | undefined;
  let ready: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let last = 0;
  const waiting = new Map<number, (verdict: CertificateVerdict | null) => void>();

  function end(): void {
    void worker?.terminate();
    worker = undefined;
    for (const answer of waiting.values()) answer(null);
    waiting.clear();
  }

  function start(): Worker {
    const own = new Worker(workerUrl, {
      workerData,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    });
    // Not before: starting has nothing to do with the certificate.
    ready = once(own, 'message').catch(() => undefined);
    own.on('message', ({ number, verdict }: CertificateAnswer) => waiting.get(number)?.(verdict));
    own.on('error', () => {});
    own.on('exit', () => own === worker && end());
    own.unref();
    return own;
  }

  return async (certificate) => {
    clearTimeout(idle);
    worker ??= start();
    last += 1;
    const number = last;
    const { promise, resolve } = Promise.withResolvers<CertificateVerdict | null>();
    waiting.set(number, resolve);
    worker.postMessage({ number, certificate } satisfies CertificateTask);
    let timer: NodeJS.Timeout | undefined;
    void ready.then(() => {
      if (waiting.has(number)) timer = setTimeout(end, CHECK_MS);
    });
    const verdict = await promise;
    clearTimeout(timer);
    waiting.delete(number);
    if (waiting.size === 0) idle = setTimeout(end, IDLE_MS).unref();
    return verdict;
  };
}
