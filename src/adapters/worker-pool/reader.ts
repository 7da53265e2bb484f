import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type {
  AuthenticationPart,
  CheckCertificate,
  ContentPart,
  ReadInWorker,
} from '../../ports.ts';
import type { FromWorker, ToWorker } from './protocol.ts';

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
  /** Milliseconds until the first part must be there, and from it to the second. */
  readonly authenticationMs?: number;
  readonly contentMs?: number;
  readonly mailsAWorker?: number;
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
}: ReaderOptions): Reader {
  const createPool = () =>
    new Piscina({
      filename: workerUrl.href,
      minThreads: threads,
      maxThreads: threads,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
      // Nothing of the environment is needed there.
      env: {},
    });
  let pool = createPool();
  let mails = 0;
  const closing = new Set<Promise<void>>();

  const retire = () => {
    const closed = pool.close().finally(() => closing.delete(closed));
    closing.add(closed);
  };
  /** The pool for one more mail; a worn one ends when its last mail is read. */
  const poolForNext = () => {
    if (mails === mailsAWorker * threads) {
      retire();
      pool = createPool();
      mails = 0;
    }
    mails += 1;
    return pool;
  };

  const read: ReadInWorker = (mail, job, resolver) => {
    const { port1: port, port2 } = new MessageChannel();
    const authentication = Promise.withResolvers<AuthenticationPart | null>();
    const content = Promise.withResolvers<ContentPart | null>();
    const killer = new AbortController();
    let timer = setTimeout(() => killer.abort(), authenticationMs);
    let isDone = false;

    const end = () => {
      clearTimeout(timer);
      authentication.resolve(null);
      content.resolve(null);
      port.close();
    };
    port.on('message', (message: FromWorker) => {
      if (message.kind === 'ask') {
        const { id, name, type } = message;
        // A closed port takes messages without a word.
        void resolver
          .ask(name, type)
          .then((answer) => port.postMessage({ id, answer } satisfies ToWorker));
      } else if (message.kind === 'authentication') {
        clearTimeout(timer);
        timer = setTimeout(() => killer.abort(), contentMs);
        authentication.resolve(message.value);
      } else {
        clearTimeout(timer);
        isDone = true;
        content.resolve(message.value);
      }
    });
    // Comes after the last message, also when the worker died.
    port.on('close', end);

    const transferList = [mail.buffer, port2];
    poolForNext()
      .run({ mail, job, port: port2 }, { name: 'read', transferList, signal: killer.signal })
      // What went wrong is in the parts that did not come.
      .catch(() => end());
    return {
      authentication: authentication.promise,
      content: content.promise,
      stop: () => {
        // A worker that has read its mail goes on to the next.
        if (!isDone) killer.abort();
      },
    };
  };

  const checkCertificate: CheckCertificate = async (certificate) => {
    const signal = AbortSignal.timeout(CERTIFICATE_MS);
    try {
      return await poolForNext().run(certificate, { name: 'checkCertificate', signal });
    } catch {
      return null;
    }
  };

  return {
    read,
    checkCertificate,
    close: async () => {
      retire();
      await Promise.all(closing);
    },
  };
}
