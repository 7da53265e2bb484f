/** Runs jobs by key, several at once and urgent ones first, and repeats each until it succeeds. */

interface Options {
  /** Returns how many jobs may run at the same time when `size` jobs are waiting or running. */
  readonly lanes: (size: number) => number;
  /** Returns the time until a failed job is tried again, in milliseconds. */
  readonly againMs: (error: unknown) => number;
  readonly onFault: (key: string, error: unknown) => void;
}

type Job = () => Promise<unknown>;

/**
 * Runs jobs by key, several at once, and repeats each until it succeeds. A key that is already waiting is not
 * added again.
 */
export function createJobQueue({ lanes, againMs, onFault }: Options) {
  const urgent = new Map<string, Job>();
  const others = new Map<string, Job>();
  const running = new Map<string, Promise<void>>();
  const retries = new Set<NodeJS.Timeout>();
  let stopped = false;

  const waits = () => urgent.size + others.size > 0;
  const size = () => urgent.size + others.size + running.size + retries.size;

  function pump(): void {
    for (const waiting of [urgent, others])
      for (const [key, job] of waiting) {
        if (stopped || running.size >= lanes(size())) return;
        if (running.has(key)) continue;
        waiting.delete(key);
        const done = run(key, job).finally(() => {
          running.delete(key);
          pump();
        });
        running.set(key, done);
      }
  }

  async function run(key: string, job: Job): Promise<void> {
    try {
      await job();
    } catch (error) {
      if (stopped) return;
      const retry = setTimeout(() => {
        retries.delete(retry);
        add(key, job);
      }, againMs(error));
      retries.add(retry);
      onFault(key, error);
    }
  }

  /** @param isUrgent whether the job runs before all jobs that are not urgent */
  function add(key: string, job: Job, isUrgent = false): void {
    if (isUrgent) others.delete(key);
    if (!urgent.has(key) && !others.has(key)) (isUrgent ? urgent : others).set(key, job);
    pump();
  }

  return {
    add,
    /** Returns the number of jobs that wait, run, or failed and will be tried again. */
    size,
    /** Resolves when no job waits or runs. */
    async idle(): Promise<void> {
      while (running.size > 0 || (waits() && !stopped)) await Promise.all(running.values());
    },
    /** Stops after the jobs that are running. */
    async stop(): Promise<void> {
      stopped = true;
      for (const retry of retries) clearTimeout(retry);
      await Promise.all(running.values());
    },
  };
}
