/**
 * Jobs by payment id, one at a time each in this process. A job runs to its end even if whoever
 * asked for it has gone.
 */
export function flights<T>() {
  const running = new Map<string, Promise<T>>();

  return {
    of: (id: string) => running.get(id),

    /** Begins a job, in the same tick as the caller's look at `of`. */
    begin(id: string, job: () => Promise<T>): Promise<T> {
      const flight = job().finally(() => running.delete(id));
      running.set(id, flight);
      // Whoever asked may be gone: the end of a job is never an unhandled rejection.
      flight.catch(() => undefined);
      return flight;
    },

    /** Resolves when no job runs. */
    async idle(): Promise<void> {
      while (running.size > 0) await Promise.allSettled(running.values());
    },
  };
}

/** What `work` gives within `milliseconds`; `undefined` when it takes longer. */
export async function within<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
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
