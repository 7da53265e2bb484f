/**
 * Resolves at the first SIGINT or SIGTERM. What follows, such as the same Ctrl-C passed on by a
 * launcher, is not left to end the process in the middle of its cleaning up.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => resolve());
  });
}
