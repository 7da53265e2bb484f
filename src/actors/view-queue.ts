import type { Logger } from '../telemetry/logger.ts';
import { seldom } from '../telemetry/seldom.ts';

/** Views written at once. */
const LANES = 16;

/** Until a view is tried again that could not be written, in milliseconds. */
const AGAIN_MS = 500;

/** Jobs by key, some at once, each until it succeeds; a key that waits is not added again. */
export function viewQueue(logger: Logger) {
  const waiting = new Map<string, () => Promise<void>>();
  const running = new Map<string, Promise<void>>();
  const retries = new Set<NodeJS.Timeout>();
  let stopped = false;

  /** One fault may keep a million views waiting: it is one line, again after a while. */
  const reportFault = seldom((key: string, err: unknown) => {
    const [view, test_id] = key.split(' ');
    logger.warn(
      { view, test_id, waiting: retries.size + 1, err },
      'view not written; it is tried again. If its bucket is gone: start a replica again, which makes and fills it',
    );
  });

  function pump(): void {
    for (const [key, job] of waiting) {
      if (stopped || running.size >= LANES) return;
      if (running.has(key)) continue;
      waiting.delete(key);
      const done = run(key, job).finally(() => {
        running.delete(key);
        pump();
      });
      running.set(key, done);
    }
  }

  async function run(key: string, job: () => Promise<void>): Promise<void> {
    try {
      await job();
    } catch (err) {
      reportFault(key, err);
      const retry = setTimeout(() => {
        retries.delete(retry);
        add(key, job);
      }, AGAIN_MS);
      retries.add(retry);
    }
  }

  function add(key: string, job: () => Promise<void>): void {
    if (!waiting.has(key)) waiting.set(key, job);
    pump();
  }

  return {
    add,
    async idle(): Promise<void> {
      while (running.size > 0 || (waiting.size > 0 && !stopped))
        await Promise.all(running.values());
    },
    async stop(): Promise<void> {
      stopped = true;
      for (const retry of retries) clearTimeout(retry);
      await Promise.all(running.values());
    },
  };
}
