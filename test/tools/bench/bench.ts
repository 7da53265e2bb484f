type Bench = (args: readonly string[]) => Promise<number>;

/** What can be measured by itself, one file each; loaded only when it is called. */
const benches: Record<string, () => Promise<Bench>> = {
  analysis: async () => (await import('./analysis/analysis.ts')).benchAnalysis,
  mails: async () => (await import('./mails/mails.ts')).benchMails,
  waiting: async () => (await import('./waiting.ts')).benchWaiting,
  log: async () => (await import('./log/log.ts')).benchLog,
};

/** `npm run bench -- NAME …`: measures. Resolves to the exit code. */
export async function runBench([name = '', ...args]: readonly string[]): Promise<number> {
  const load = Object.hasOwn(benches, name) ? benches[name] : undefined;
  if (load) return (await load())(args);
  console.error(
    `npm run bench -- NAME …, where NAME is one of: ${Object.keys(benches).join(', ')}.`,
  );
  return 2;
}
