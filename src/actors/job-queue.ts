interface Options {
  /** Jobs at once, while so many wait or run. */
  readonly lanes: (size: number) => number;
  /** Until a job is done again that failed, in milliseconds. */
  readonly againMs: (error: unknown) => number;
  readonly onFault: (key: string, error: unknown) => void;
}

type Job = () => Promise<unknown>;

/** Jobs by key, some at once, each until it succeeds; a key that waits is not added again. */
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

  /** @param isUrgent before all that are not */
  function add(key: string, job: Job, isUrgent = false): void {
    if (isUrgent) others.delete(key);
    if (!urgent.has(key) && !others.has(key)) (isUrgent ? urgent : others).set(key, job);
    pump();
  }

  return {
    add,
    /** Those that wait, run, or have failed and are done again. */
    size,
    /** Resolves when nothing waits or runs. */
    async idle(): Promise<void> {
      while (running.size > 0 || (waits() && !stopped)) await Promise.all(running.values());
    },
    /** Ends after what runs. */
    async stop(): Promise<void> {
      stopped = true;
      for (const retry of retries) clearTimeout(retry);
      await Promise.all(running.values());
    },
  };
}
