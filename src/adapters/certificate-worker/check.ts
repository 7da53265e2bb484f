/** Checks BIMI certificates in a separate thread, which can be ended at any time. */

import { Worker } from 'node:worker_threads';
import { Overloaded } from '../../domain/overloaded.ts';
import type { CertificateVerdict, CheckCertificate } from '../../ports/web.ts';

/** Time limits in milliseconds. */
const TIMEOUTS = {
  /** Time limit for checking one certificate. */
  check: 3000,
  /**
   * Time limit for checking the certificates that came before this one. If it is exceeded, it is our fault
   * that this certificate was not judged.
   */
  wait: 4000,
};

/** Time until an idle worker ends, in milliseconds. Few emails have a certificate. */
const IDLE_MS = 30_000;

const MAX_HEAP_MIB = 128;

/** The message that the worker receives. */
export type CertificateTask = Parameters<CheckCertificate>[0];

/** Messages that the worker sends back; `ready` comes first. */
export type CertificateAnswer = CertificateVerdict | null | 'ready';

/**
 * Judges BIMI certificates one after another, in a separate thread. Compressed content is unpacked there, so
 * the thread is ended if a certificate takes too long or breaks it.
 */
export function checkInWorker(
  workerUrl: URL,
  workerData?: unknown,
  timeouts = TIMEOUTS,
): CheckCertificate {
  let running: { readonly worker: Worker; readonly ready: Promise<boolean> } | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function end(): void {
    void running?.worker.terminate();
    running = undefined;
  }

  function start() {
    const worker = new Worker(workerUrl, {
      workerData,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    });
    const { promise: ready, resolve } = Promise.withResolvers<boolean>();
    worker.once('message', () => resolve(true));
    worker.on('error', () => {});
    worker.on('exit', () => {
      resolve(false);
      if (worker === running?.worker) running = undefined;
    });
    worker.unref();
    return { worker, ready };
  }

  async function check(certificate: CertificateTask): Promise<CertificateVerdict | null> {
    running ??= start();
    const { worker, ready } = running;
    // A failure to start the thread has nothing to do with the certificate.
    if (!(await ready)) throw new Overloaded();
    const { promise: verdict, resolve } = Promise.withResolvers<CertificateVerdict | null>();
    const onExit = () => resolve(null);
    worker.once('message', resolve).once('exit', onExit);
    worker.postMessage(certificate);
    const timer = setTimeout(end, timeouts.check);
    try {
      return await verdict;
    } finally {
      clearTimeout(timer);
      worker.off('message', resolve).off('exit', onExit);
    }
  }

  return async (certificate) => {
    clearTimeout(idle);
    const before = last;
    const { promise: done, resolve: leave } = Promise.withResolvers<void>();
    last = before.then(() => done);
    try {
      if (!(await isWithin(timeouts.wait, before))) throw new Overloaded();
      return await check(certificate);
    } finally {
      leave();
      clearTimeout(idle);
      idle = setTimeout(end, IDLE_MS).unref();
    }
  };
}

async function isWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, milliseconds, false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
