/** Cleans up before a signal such as Ctrl-C ends the command. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type OnSignal = (signal: NodeJS.Signals) => void;

/** The clean-ups of the work that is running now. */
const cleanUps = new Set<OnSignal>();

/** Runs work. If a signal ends the command meanwhile, `cleanUp` is called first. It must not throw. */
export async function withCleanUp<T>(cleanUp: OnSignal, work: () => Promise<T>): Promise<T> {
  if (cleanUps.size === 0) for (const signal of SIGNALS) process.on(signal, end);
  cleanUps.add(cleanUp);
  try {
    return await work();
  } finally {
    cleanUps.delete(cleanUp);
    if (cleanUps.size === 0) stopListening();
  }
}

function end(signal: NodeJS.Signals): void {
  stopListening();
  for (const cleanUp of cleanUps) cleanUp(signal);
  // The command ends by the signal itself, as its caller expects, once everything before is written.
  process.stderr.write('', () => process.kill(process.pid, signal));
}

function stopListening(): void {
  for (const signal of SIGNALS) process.off(signal, end);
}
