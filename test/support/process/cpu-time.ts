/**
 * Measures the time that work takes on this thread, in milliseconds, which is the same on a busy machine.
 */
export function cpuTime<T>(work: () => T): { readonly result: T; readonly ms: number } {
  const before = process.threadCpuUsage();
  const result = work();
  const { user, system } = process.threadCpuUsage(before);
  return { result, ms: (user + system) / 1000 };
}
