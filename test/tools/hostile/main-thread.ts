/**
 * The longest time that this thread worked at one go, in milliseconds of its own processor time: what
 * other threads and programs take does not count. A turn of the event loop may hold several pieces, so
 * that it is rather more than less.
 */
export function watchEventLoop() {
  let longestMs = 0;
  let isWatching = true;
  let before = process.threadCpuUsage();
  const turn = () => {
    const now = process.threadCpuUsage();
    longestMs = Math.max(longestMs, (now.user + now.system - before.user - before.system) / 1000);
    before = now;
    if (isWatching) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    async stop(): Promise<number> {
      await new Promise((resolve) => setImmediate(resolve));
      isWatching = false;
      return longestMs;
    },
  };
}
