import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Bench = (args: readonly string[]) => Promise<number>;

/** What can be measured by itself, one file each; loaded only when it is called. */
const benches: Record<string, () => Promise<Bench>> = {
  analysis: async () => (await import('./analysis/analysis.ts')).benchAnalysis,
  filters: async () => (await import('./filters/filters.ts')).benchFilters,
  mails: async () => (await import('./mails/mails.ts')).benchMails,
  status: async () => (await import('./status/status.ts')).benchStatus,
  waiting: async () => (await import('./waiting.ts')).benchWaiting,
  log: async () => (await import('./log/log.ts')).benchLog,
  capacity: async () => (await import('./capacity/capacity.ts')).benchCapacity,
  replicas: async () => (await import('./log/replicas.ts')).benchReplicas,
  incidents: async () => (await import('./log/incidents.ts')).benchIncidents,
  curve: async () => (await import('./load/curve.ts')).benchCurve,
  load: async () => (await import('./load/load.ts')).benchLoad,
  payments: async () => (await import('./payments/payments.ts')).benchPayments,
};

/**
 * `npm run bench -- NAME …` measures one of them; without a name all, into `bench.json`. Resolves to
 * the exit code.
 */
export async function runBench([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined) return benchAll();
  const load = Object.hasOwn(benches, name) ? benches[name] : undefined;
  if (load) return (await load())(args);
  console.error(
    `npm run bench -- NAME …, where NAME is one of: ${Object.keys(benches).join(', ')}; without NAME: all.`,
  );
  return 2;
}

const PRINTS_ITSELF = ['replicas', 'incidents'];

/** Beside all the others these are short: by themselves they take half an hour and ten minutes. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  load: ['--minutes', '2', '--over-minutes', '1'],
  replicas: ['--deadlines', '1000', '--live', '20000'],
};

async function benchAll(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const results: Record<string, unknown> = {};
  let worst = 0;
  for (const [name, load] of Object.entries(benches)) {
    const json = join(folder, `${name}.json`);
    console.log(`\n${name}`);
    const bench = await load();
    // Those of the log have other options, and print their figures themselves.
    const own = PRINTS_ITSELF.includes(name) ? [] : ['--json', json];
    worst = Math.max(worst, await bench([...own, ...(SHORT[name] ?? [])]));
    if (existsSync(json)) results[name] = JSON.parse(readFileSync(json, 'utf8'));
  }
  writeFileSync('bench.json', `${JSON.stringify(results, null, 2)}\n`);
  return worst;
}
