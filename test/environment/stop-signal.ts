/**
 * Resolves at the first SIGINT or SIGTERM. Later signals, such as the same Ctrl-C passed on by a launcher,
 * must not end the process in the middle of its clean-up.
 */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => resolve());
  });
}
