/** Work on one payment that is under way in this process. */
export interface Job<T> {
  /** What it is for: the payment that a request brought, or a settlement that was found open. */
  readonly payment: string | undefined;
  readonly done: Promise<T>;
}

/**
 * Jobs by payment id, one at a time each in this process. A job runs to its end even if the request
 * that began it has gone.
 */
export function inFlight<T>() {
  const running = new Map<string, Job<T>>();

  return {
    of: (id: string) => running.get(id),

    /** Begins a job, in the same tick as the caller's check of `of`. */
    begin(id: string, payment: string | undefined, work: () => Promise<T>): Promise<T> {
      const done = work().finally(() => running.delete(id));
      running.set(id, { payment, done });
      // The caller may be gone: the end of a job is never an unhandled rejection.
      done.catch(() => undefined);
      return done;
    },

    /** Resolves when no job runs. */
    async idle(): Promise<void> {
      while (running.size > 0)
        await Promise.allSettled([...running.values()].map(({ done }) => done));
    },
  };
}
