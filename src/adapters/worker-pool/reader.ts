import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { AuthenticationPart, ContentPart, ReadInWorker } from '../../ports/reading.ts';
import type { CheckCertificate } from '../../ports/web.ts';
import type { Defect, FromWorker, ToWorker } from './protocol.ts';
import { createWorkerQueue } from './worker-queue.ts';

/** Mails a worker reads before it is replaced: strings of old mails go with its memory. */
const MAILS_A_WORKER = 1000;

/** Heap of a worker: a mail of 25 MiB needs a quarter of it. */
const MAX_HEAP_MIB = 512;

/** Milliseconds for a BIMI certificate. */
const CERTIFICATE_MS = 3000;

export interface ReaderOptions {
  /** The module that runs in the workers. */
  readonly workerUrl: URL;
  readonly threads: number;
  /** Milliseconds from a worker's begin to the first part, and from it to the second. */
  readonly authenticationMs?: number;
  readonly contentMs?: number;
  readonly mailsAWorker?: number;
  /** Called for an error of ours in a worker: the part it broke is missing. */
  readonly onDefect?: (defect: Defect) => void;
}

export interface Reader {
  readonly read: ReadInWorker;
  readonly checkCertificate: CheckCertificate;
  /** Waits for the mails that are being read. */
  close(): Promise<void>;
}

/** Reads mails in worker threads, one mail a worker at a time, each under a kill timer. */
export function createReader({
  workerUrl,
  threads,
  authenticationMs = 15_000,
  contentMs = 10_000,
  mailsAWorker = MAILS_A_WORKER,
  onDefect,
}: ReaderOptions): Reader {
  const createPool = () => {
    const pool = new Piscina({
      filename: workerUrl.href,
      minThreads: threads,
      maxThreads: threads,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
      // Nothing of the environment is needed there.
      env: {},
    });
    // A worker that fails between two mails: the next one gets another.
    pool.on('error', () => {});
    return { pool, running: new Set<Promise<unknown>>() };
  };
  let current = createPool();
  const queue = createWorkerQueue(threads);
  let mails = 0;
  const closing = new Set<Promise<void>>();

  /** The library's own `close` would wait 30 s for a worker that is killed meanwhile, and throw. */
  const retire = ({ pool, running }: typeof current) => {
    const closed = Promise.allSettled(running)
      .then(() => pool.destroy())
      .finally(() => closing.delete(closed));
    closing.add(closed);
  };
  /** One more task; a worn pool ends when its last one is done. */
  const run: Piscina['run'] = (task, options) => {
    if (mails === mailsAWorker * threads) {
      retire(current);
      current = createPool();
      mails = 0;
    }
    mails += 1;
    const { pool, running } = current;
    const done = pool.run(task, options).finally(() => running.delete(done));
    running.add(done);
    return done;
  };

  const read: ReadInWorker = (mail, job, resolver) => {
    const { port1: port, port2 } = new MessageChannel();
    const authentication = Promise.withResolvers<AuthenticationPart | null>();
    const content = Promise.withResolvers<ContentPart | null>();
    const killer = new AbortController();
    const begun = Promise.withResolvers<boolean>();
    let timer: NodeJS.Timeout | undefined;
    let isDone = false;

    const allow = (milliseconds: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => killer.abort(), milliseconds);
    };
    const end = () => {
      clearTimeout(timer);
      begun.resolve(false);
      authentication.resolve(null);
      content.resolve(null);
      port.close();
    };
    port.on('message', (message: FromWorker) => {
      if (message.kind === 'begun') {
        // Not before: a mail that waits for a worker has done nothing wrong.
        allow(authenticationMs);
        begun.resolve(true);
      } else if (message.kind === 'ask') {
        const { id, name, type } = message;
        // A closed port drops messages silently.
        void resolver
          .ask(name, type)
          .then((answer) => port.postMessage({ id, answer } satisfies ToWorker));
      } else if (message.kind === 'defect') {
        onDefect?.(message.value);
      } else if (message.kind === 'authentication') {
        allow(contentMs);
        authentication.resolve(message.value);
      } else {
        clearTimeout(timer);
        isDone = true;
        content.resolve(message.value);
      }
    });
    // Comes after the last message, also when the worker died.
    port.on('close', end);

    const work = () =>
      run(
        { mail, job, port: port2 },
        { name: 'read', transferList: [mail.buffer, port2], signal: killer.signal },
      )
        // What went wrong is in the parts that did not come.
        .catch(() => end());
    const leave = queue.enqueue(resolver.turnPath, mail.length, work);
    return {
      begun: begun.promise,
      authentication: authentication.promise,
      content: content.promise,
      stop: () => {
        if (leave()) end();
        // A worker that has read its mail goes on to the next.
        else if (!isDone) killer.abort();
      },
    };
  };

  const checkCertificate: CheckCertificate = async (certificate) => {
    const signal = AbortSignal.timeout(CERTIFICATE_MS);
    try {
      return await run(certificate, { name: 'checkCertificate', signal });
    } catch {
      return null;
    }
  };

  return {
    read,
    checkCertificate,
    close: async () => {
      retire(current);
      await Promise.all(closing);
    },
  };
}
