type Soak = (args: readonly string[]) => Promise<number>;

/** What can be run for long, one file each; loaded only when it is called. */
const soaks: Record<string, () => Promise<Soak>> = {
  history: async () => (await import('./history/soak-history.ts')).soakHistory,
  storage: async () => (await import('./storage/soak-storage.ts')).soakStorage,
  backup: async () => (await import('./storage/soak-backup.ts')).soakBackup,
  payments: async () => (await import('./payments.ts')).soakPayments,
  lies: async () => (await import('./lies/lies.ts')).soakLies,
};

/** `npm run lab -- soak NAME …`: the long runs. Resolves to the exit code. */
export async function runSoak([name = '', ...args]: readonly string[]): Promise<number> {
  const load = Object.hasOwn(soaks, name) ? soaks[name] : undefined;
  if (load) return (await load())(args);
  console.error(
    `npm run lab -- soak NAME …, where NAME is one of: ${Object.keys(soaks).join(', ')}.`,
  );
  return 2;
}
