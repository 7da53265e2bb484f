/**
 * Jobs by payment id, one at a time each in this process. A job runs to its end even if the request
 * that began it has gone.
 */
export function inFlight<T>() {
  const running = new Map<string, Promise<T>>();

  return {
    of: (id: string) => running.get(id),

    /** Begins a job, in the same tick as the caller's check of `of`. */
    begin(id: string, work: () => Promise<T>): Promise<T> {
      const job = work().finally(() => running.delete(id));
      running.set(id, job);
      // The caller may be gone: the end of a job is never an unhandled rejection.
      job.catch(() => undefined);
      return job;
    },

    /** Resolves when no job runs. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.allSettled(running.values());
    },
  };
}

/** What `work` gives within `milliseconds`; `undefined` when it takes longer. */
export async function settledWithin<T>(
  work: Promise<T>,
  milliseconds: number,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
