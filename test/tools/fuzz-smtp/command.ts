import { parseArgs } from 'node:util';
import { fuzzSmtp } from './fuzz.ts';

const MIB = 1024 * 1024;

/** Faults shown in full. */
const MAX_SHOWN = 10;

/** Characters of a session that are shown. */
const MAX_PLAN = 2000;

/** Commands between two lines of progress. */
const PROGRESS = 100_000;

/**
 * `npm run lab -- fuzz smtp --count 100000 --seed 1`: random SMTP sessions against a listening server, until
 * so many commands were answered. Resolves to the exit code: 1 when something was found.
 */
export async function runSmtpFuzz(args: readonly string[]): Promise<number> {
  const options = { count: { type: 'string' }, seed: { type: 'string' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  const count = Number(values.count ?? 100_000);
  const seed = Number(values.seed ?? Date.now() % 2 ** 31);
  if (!Number.isInteger(count) || !Number.isInteger(seed))
    throw new Error('--count and --seed have to be whole numbers.');

  const begin = performance.now();
  const before = memory();
  console.log(`seed ${seed}, ${before}`);
  let shown = 0;
  let next = PROGRESS;
  const result = await fuzzSmtp({
    seed,
    count,
    onFault({ seed: own, words, plan }) {
      shown += 1;
      if (shown > MAX_SHOWN) return;
      console.log(`FOUND with --seed ${own} --count 1: ${words}`);
      if (plan) console.log(JSON.stringify(plan).slice(0, MAX_PLAN));
    },
    onBatch(commands) {
      if (commands < next) return;
      next += PROGRESS;
      console.log(`${commands} commands, ${memory()}`);
    },
  });
  const seconds = (performance.now() - begin) / 1000;
  console.log(
    [
      `${result.commands} commands, ${result.mails} mails, ${result.sessions} sessions`,
      `${seconds.toFixed(0)} s, ${(result.commands / seconds).toFixed(0)} a second`,
      `${result.faults} faults`,
      `${before} before, ${memory()} after`,
    ].join('; '),
  );
  return result.faults === 0 ? 0 : 1;
}

/** After a collection where `--expose-gc` allows one. */
function memory(): string {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return `RSS ${(rss / MIB).toFixed(0)} MiB, heap ${(heapUsed / MIB).toFixed(0)} MiB`;
}
